export declare const MAX_VARIABLE = 2;
export declare const MAX_OPTIONAL = 4;
export declare const MAX_MATCHED_LENGTH = 256;
/** A sign or a class and how often it stands; or one end of a group. */
export interface Piece {
    readonly text: string;
    /** Empty = once. */
    readonly quantifier: string;
}
/** For the whole value, of so many characters at most; `undefined` when it is not such a pattern. */
export declare function safePattern(source: string, longest?: number): RegExp | undefined;
/** How many signs are looked at, at the worst, to tell whether a text of this length fits; no end for what is not such a pattern. */
export declare function patternSteps(source: string, length: number): number;
/** What stands between `^` and `$`; `undefined` when it may take long. Groups only where something is to be taken out. */
export declare function readPieces(inner: string, { groups }?: {
    groups?: boolean | undefined;
}): Piece[] | undefined;
