export declare const MAX_VARIABLE = 2;
export declare const MAX_OPTIONAL = 4;
export declare const MAX_MATCHED_LENGTH = 256;
/** A sign or a class and how often it stands; or one end of a group. */
export interface Piece {
    readonly text: string;
    /** Empty = once. */
    readonly quantifier: string;
}
/** For the whole value; `undefined` when it is not such a pattern. */
export declare function safePattern(source: string): RegExp | undefined;
/** What stands between `^` and `$`; `undefined` when it may take long. Groups only where something is to be taken out. */
export declare function readPieces(inner: string, { groups }?: {
    groups?: boolean | undefined;
}): Piece[] | undefined;
