// How large may be what a module's process and the exchange say to each other. Both sides keep to it.

export const MAX_RESULT_BYTES = 4 * 1024 * 1024;
/** Of a name of a file, an address or a header in an answer that is no envelope. */
export const MAX_SPECIAL_LENGTH = 4_000;
export const MAX_SPECIAL_HEADERS = 20;
/** Of a question, as long as nobody counts what is in it: that much is read soon, whatever it is. */
export const PART_BYTES = 264 * 1024;
/** Of a question with what it carries. More than the exchange answers, which says so by itself. */
export const MAX_ASKED_LENGTH = 4 * 1024 * 1024;
/** Questions that a module may have open at once. */
export const MAX_ASKS = 200;
