import { isDeepStrictEqual } from 'node:util';
import { type Accepted, rightsOf, unaccepted } from '../description/accepted-rights.ts';
import { type Endpoint, openedBeyond } from '../description/open-routes.ts';
import { brokenFolderOf, type Found, type FoundModule } from '../folder/module-folder.ts';
import type { WorkerListener } from '../process/worker-listener.ts';
import type { Faults } from './faults.ts';

interface ObstacleParts {
  readonly faults: Faults;
  readonly log: (module: string) => WorkerListener['log'];
}

/** What a module would have published, when that was more than it may. */
interface Refused {
  readonly fault: string;
  readonly beyond: string;
  readonly fingerprint: string;
  readonly described: readonly Endpoint[];
  readonly accepted: readonly Endpoint[];
}

/**
 * What keeps a module from starting although its code is fine: its folder is not in order, or its rights were not
 * accepted. Logged once, and cleared as soon as that changes.
 */
export function createObstacles({ faults, log }: ObstacleParts) {
  const held = new Set<string>();
  const refused = new Map<string, Refused>();

  function hold(id: string, reason: string, fault: string): void {
    if (!held.has(id)) log(id)('error', `not started: ${reason}`);
    held.add(id);
    faults.set(id, fault);
  }
  const holdFolder = (id: string, reason: string): void =>
    hold(id, reason, `it could not be started then (${reason}); enable it again`);

  return {
    /** The module that can be started; `undefined` if it cannot, with the reason in `faults`. */
    startable(id: string, found: Found, accepted: Accepted | undefined): FoundModule | undefined {
      const module = found.modules.find(({ manifest }) => manifest.id === id);
      if (!module) {
        holdFolder(id, brokenFolderOf(found, id)?.reason ?? 'its folder was missing');
        return undefined;
      }
      const reason = unaccepted(rightsOf(module.manifest), accepted);
      if (reason === '') {
        if (held.delete(id)) faults.delete(id);
        const before = refused.get(id);
        // Accepted meanwhile, perhaps on another node.
        if (before && accepted?.endpoints && !isDeepStrictEqual(accepted.endpoints, before.accepted))
          if (faults.get(id) === before.fault) faults.delete(id);
        return module;
      }
      hold(id, reason, reason);
      return undefined;
    },

    /** Whether a running module does no more than is accepted now: another node may have withdrawn something. */
    isWithin: ({ manifest }: FoundModule, described: readonly Endpoint[], accepted: Accepted | undefined) =>
      unaccepted(rightsOf(manifest), accepted) === '' &&
      (accepted?.endpoints === undefined || openedBeyond(described, accepted.endpoints) === ''),

    /** The modules folder could not be read. */
    unread: (id: string): void => holdFolder(id, 'its folder could not be read'),

    /** Whether it would answer more without a key than it may. Known from its description, which may vary. */
    opensMore(found: FoundModule, described: readonly Endpoint[], accepted: readonly Endpoint[]): boolean {
      const { id } = found.manifest;
      const beyond = openedBeyond(described, accepted);
      refused.delete(id);
      if (beyond === '') return false;
      const fault = `it ${beyond}: enable it to accept that`;
      refused.set(id, { fault, beyond, fingerprint: found.fingerprint, described, accepted });
      faults.set(id, fault);
      log(id)('error', `not started: ${fault}`);
      return true;
    },

    /** What it opens beyond what was accepted, if that is why it does not run. */
    openedBeyond(id: string): string | undefined {
      const last = refused.get(id);
      return last && faults.get(id) === last.fault ? last.beyond : undefined;
    },

    /** All that it described when it was refused for it: loaded with nothing behind it, it may describe less. */
    refusedEndpoints: ({ manifest: { id }, fingerprint }: FoundModule): readonly Endpoint[] | undefined => {
      const last = refused.get(id);
      return last?.fingerprint === fingerprint ? last.described : undefined;
    },

    /** Lets it be tried again, whatever it describes then. */
    clear(id: string): void {
      faults.delete(id);
      refused.delete(id);
    },
  };
}
