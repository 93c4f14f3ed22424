// Maximum sizes of messages between a module's process and the exchange. Both sides enforce them.

export const MAX_RESULT_BYTES = 4 * 1024 * 1024;
/** Of a file name, an address or a header in an answer without an envelope. */
export const MAX_SPECIAL_LENGTH = 4_000;
export const MAX_SPECIAL_HEADERS = 20;
/** Of a question before its contents are counted: parsing this much is quick, whatever it is. */
export const PART_BYTES = 264 * 1024;
/** Of a question with its payload. It is more than the exchange accepts, so that its own refusal reaches the module. */
export const MAX_ASKED_LENGTH = 4 * 1024 * 1024;
/** Questions that a module may have open at once. */
export const MAX_ASKS = 200;
