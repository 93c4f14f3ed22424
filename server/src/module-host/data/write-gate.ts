import { ModuleAway } from '../../lib/errors.ts';
import type { RecordRows } from './record-rows.ts';

/** Makes one write, unless writing is not allowed now. */
export type Pass = <T>(write: () => Promise<T>) => Promise<T>;

/**
 * Controls who writes the data of one module while they are copied. A write confirmed to a request would be missing in
 * the copy: so requests are held while it is checked whether the data must be copied, and then refused until the copy
 * is current or given up. One gate for all processes of the module: a request may be older than the current one.
 */
export function createWriteGate(moduleId: string) {
  const underWay = new Set<Promise<unknown>>();
  let shut: { readonly looked: PromiseWithResolvers<void>; isRefusing: boolean } | undefined;
  /** How often the module has declared its records, and the oldest declaration by which requests may still write. */
  let declared = 0;
  let oldest = 0;

  /** Lets a write through and records it, so that `settled` can wait for it. */
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

    /** Only the latest one to shut it can open it. */
    shut() {
      const mine = { looked: Promise.withResolvers<void>(), isRefusing: false };
      shut?.looked.resolve();
      shut = mine;
      const open = () => {
        if (shut === mine) shut = undefined;
        mine.looked.resolve();
      };
      return {
        /** Resolves when no write that began earlier is under way. The module itself may go on writing. */
        async settled(): Promise<void> {
          await Promise.allSettled(underWay);
        },
        refuse(): void {
          mine.isRefusing = true;
          mine.looked.resolve();
        },
        open,
        /** Older requests would index records differently, or look for them in the old place: they write no more. */
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
