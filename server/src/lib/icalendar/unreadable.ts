/** Why an event of a calendar file is skipped; reported to whoever imports it. */
export class Unreadable extends Error {}

/** The file exceeds a limit: it is not read at all. */
export class TooMany extends Error {}
