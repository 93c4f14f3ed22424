/** Why an event of a calendar file is passed over; whoever imported it is told. */
export class Unreadable extends Error {}

/** Of something there is more in the file than may be: it is not read at all. */
export class TooMany extends Error {}
