/**
 * A text, or a number, that a module asked with; empty where there is none. What is neither is not made a text: that of a
 * list takes as long as it is large, and an object may have none.
 */
export declare function readAsked(value: unknown, name: string, refusal: (reason: string) => Error): string;
