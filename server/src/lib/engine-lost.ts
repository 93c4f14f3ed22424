/** A telephony engine that is away this long counts as lost; until then, its last report counts (contract 4.4, 6). */
export const ENGINE_LOST_AFTER_MS = 60_000;
