/** Compared and searched without regard to case, and to how letters are put together. */
export declare const fold: (text: string) => string;
