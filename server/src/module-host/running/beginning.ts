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

/** `left` resolves when the module is not wanted any more. */
export type Place = (work: () => Promise<void>, left: Promise<void>) => Promise<void>;

/** Because somebody waits for it. */
export const AT_ONCE: Beginning = {
  mayWait: false,
  place: (work) => work(),
  after: undefined,
  end: undefined,
};
