import { availableParallelism } from 'node:os';
import { createSoManyAtOnce } from '../../lib/so-many-at-once.ts';

/** How a module is started among the others. */
export interface Beginning {
  /** At the start of the exchange: a module that only waits for calls is started by the first one. */
  readonly mayWait: boolean;
  /** Runs the start when it is the module's turn. */
  readonly place: Place;
  readonly after: Promise<unknown> | undefined;
  /** What a suspect was doing when the exchange ended. */
  readonly end: string | undefined;
}

interface Started {
  /** Resolves when the module shall no longer run. */
  readonly left: Promise<void>;
  /** Resolves if its data must be moved first: that may take long, and no other start waits for it. */
  readonly moves: Promise<void>;
}

export type Place = (work: () => Promise<void>, started: Started) => Promise<void>;

/** For a start that somebody waits for. */
export const AT_ONCE: Beginning = {
  mayWait: false,
  place: (work) => work(),
  after: undefined,
  end: undefined,
};

/** Starts this many at a time: all at once would slow each other down. */
function createPlaces(most: number): Place {
  const inPlace = createSoManyAtOnce(most);
  return async (work, { moves }) => {
    let done: Promise<void> | undefined;
    await inPlace(() => {
      done = work();
      return Promise.race([done, moves]);
    });
    await done;
  };
}

/** Together with all others, when the exchange starts. */
export const withAll = (): Beginning => ({
  ...AT_ONCE,
  mayWait: true,
  place: createPlaces(availableParallelism()),
});
