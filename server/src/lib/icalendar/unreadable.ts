/** Why an event of a calendar file is passed over; whoever imported it is told. */
export class Unreadable extends Error {}
