import { availableParallelism } from 'node:os';
import { createSoManyAtOnce } from '../../lib/so-many-at-once.ts';

/** How a module is started among others. */
export interface Beginning {
  /** With the exchange itself: what only waits for calls is started by the first one. */
  readonly mayWait: boolean;
  /** Runs it when it is its turn. */
  readonly place: Place;
  readonly after: Promise<unknown> | undefined;
  /** What a suspect was at when the exchange ended. */
  readonly end: string | undefined;
}

interface Started {
  /** Resolves when the module is not wanted any more. */
  readonly left: Promise<void>;
  /** Resolves when its data are being moved first: that may take long, and nobody else waits for it. */
  readonly moves: Promise<void>;
}

export type Place = (work: () => Promise<void>, started: Started) => Promise<void>;

/** Because somebody waits for it. */
export const AT_ONCE: Beginning = {
  mayWait: false,
  place: (work) => work(),
  after: undefined,
  end: undefined,
};

/** So many at a time: all at once would take each other's time to start. */
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

/** With all others, as the exchange starts. */
export const withAll = (): Beginning => ({
  ...AT_ONCE,
  mayWait: true,
  place: createPlaces(availableParallelism()),
});
