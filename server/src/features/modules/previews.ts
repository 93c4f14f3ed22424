import { Overloaded, RuleBroken } from '../../lib/errors.ts';
import { createOneAtATime } from '../../lib/one-at-a-time.ts';
import { previewModule } from '../../module-host/check-module.ts';
import { BrokenModule } from '../../module-host/description/broken-module.ts';
import type { FoundModule } from '../../module-host/folder/module-folder.ts';
import type { CoreAccess } from '../../module-host/questions/core-access.ts';

type Loading = Parameters<typeof previewModule>[0];

interface PreviewParts extends Omit<Loading, 'found' | 'settings' | 'quit'> {
  readonly check: CoreAccess['check'];
  /** Marks the module as at work until the returned function is called. */
  readonly loading: (id: string) => () => void;
  readonly load?: typeof previewModule;
}

/** Besides the one being loaded, which may take ten seconds: later callers would not wait that long. */
const MOST_WAITING = 8;

/** Finds out what modules would publish by loading them, one at a time: each takes the memory of a module. */
export function createPreviews({ check, loading, load = previewModule, ...how }: PreviewParts) {
  const inTurn = createOneAtATime();
  const closing = new AbortController();
  let asked = 0;

  async function look(found: FoundModule, settings: Loading['settings']) {
    const { id } = found.manifest;
    if (closing.signal.aborted) throw new Overloaded('the service is stopping');
    const isOver = loading(id);
    try {
      check(found.manifest);
      return await load({ ...how, found, settings, quit: closing.signal });
    } catch (error) {
      if (closing.signal.aborted) throw new Overloaded('the service is stopping');
      if (!(error instanceof BrokenModule)) throw error;
      throw new RuleBroken(`module ${id} cannot be started: ${error.message}`);
    } finally {
      isOver();
    }
  }

  return {
    /** Throws `RuleBroken` if the module cannot be loaded. */
    async of(found: FoundModule, settings: Loading['settings']) {
      if (asked > MOST_WAITING) throw new Overloaded(`${MOST_WAITING} checks of modules are waiting already`);
      asked++;
      try {
        return await inTurn(() => look(found, settings));
      } finally {
        asked--;
      }
    },

    /** Ends the one under way and starts no other; resolves when nothing of it is left. */
    close(): Promise<void> {
      closing.abort();
      return inTurn(() => {});
    },
  };
}
