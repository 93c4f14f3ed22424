export declare const MAX_VARIABLE = 2;
export declare const MAX_OPTIONAL = 4;
export declare const MAX_MATCHED_LENGTH = 256;
/** A character or class and its repetition; or one end of a group. */
export interface Piece {
    readonly text: string;
    /** Empty: once. */
    readonly quantifier: string;
}
/** A pattern for the whole value, up to this length; `undefined` if it is not a safe pattern. */
export declare function safePattern(source: string, longest?: number): RegExp | undefined;
/** Worst-case number of characters examined to match a text of this length; `Infinity` for an unsafe pattern. */
export declare function patternSteps(source: string, length: number): number;
/** The pieces between `^` and `$`; `undefined` if it may be slow. Groups only where values are captured. */
export declare function readPieces(inner: string, { groups }?: {
    groups?: boolean | undefined;
}): Piece[] | undefined;
