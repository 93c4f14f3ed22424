/** For comparing and searching regardless of case and of how letters are composed. */
export declare const fold: (text: string) => string;
