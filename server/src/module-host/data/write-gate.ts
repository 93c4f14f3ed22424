import { ModuleAway } from '../../lib/errors.ts';
import type { RecordRows } from './record-rows.ts';

/** Makes one write, unless it may not be made now. */
export type Pass = <T>(write: () => Promise<T>) => Promise<T>;

/**
 * Who writes the data of one module while they are copied. What a request was told is stored would be missing in the
 * copy: so requests are held while it is looked whether the data have to be copied, and from then on refused until the copy
 * counts or is given up. One for all processes of the module: a request may be older than the one that runs.
 */
export function createWriteGate(moduleId: string) {
  const underWay = new Set<Promise<unknown>>();
  let shut: { readonly looked: PromiseWithResolvers<void>; isRefusing: boolean } | undefined;
  /** How often the module has said what its records are, and since when requests that go by it may write. */
  let declared = 0;
  let oldest = 0;

  /** Is let through; others wait for it. */
  const track: Pass = (write) => {
    const done = write();
    const over = () => underWay.delete(done);
    underWay.add(done);
    done.then(over, over);
    return done;
  };

  return {
    track,
    isUsed: () => declared > 0,

    /** For requests to records as they are declared from now on. */
    declare(): Pass {
      const mine = ++declared;
      return async (write) => {
        while (shut && !shut.isRefusing) await shut.looked.promise;
        if (shut || mine < oldest) throw new ModuleAway(`module ${moduleId} is starting again`);
        return track(write);
      };
    },

    /** Only who shut it last opens it. */
    shut() {
      const mine = { looked: Promise.withResolvers<void>(), isRefusing: false };
      shut?.looked.resolve();
      shut = mine;
      const open = () => {
        if (shut === mine) shut = undefined;
        mine.looked.resolve();
      };
      return {
        /** Resolves when no write is under way that began before. The module itself may go on writing. */
        async settled(): Promise<void> {
          await Promise.allSettled(underWay);
        },
        refuse(): void {
          mine.isRefusing = true;
          mine.looked.resolve();
        },
        open,
        /** Who found records as they were declared before indexes them differently, or looks for them elsewhere. */
        openForLatest(): void {
          if (shut === mine) oldest = declared;
          open();
        },
      };
    },
  };
}

export type WriteGate = ReturnType<typeof createWriteGate>;

/** The same rows, written through `pass`. */
export const passing = (rows: RecordRows, pass: Pass): RecordRows => ({
  ...rows,
  insert: (row) => pass(() => rows.insert(row)),
  update: (id, change) => pass(() => rows.update(id, change)),
  remove: (id) => pass(() => rows.remove(id)),
  save: (changes) => pass(() => rows.save(changes)),
});

/** One for each module, for as long as the service runs. */
export function createWriteGates() {
  const gates = new Map<string, WriteGate>();
  return {
    of(moduleId: string): WriteGate {
      const gate = gates.get(moduleId) ?? createWriteGate(moduleId);
      gates.set(moduleId, gate);
      return gate;
    },
  };
}
