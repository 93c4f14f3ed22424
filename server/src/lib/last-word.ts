/** How long the last word of a telephony engine counts after it went away (contract 4.4, 6). */
export const LAST_WORD_MS = 60_000;
