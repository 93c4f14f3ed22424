/** Our own events in the journal, beside those that the engine writes of each channel. `routes.conf` makes them. */
export const LEG_EVENTS = {
  /** On the caller's channel, when somebody is about to be rung. */
  begun: 'pbx-leg',
  /** On the channel to one device, before it rings. */
  device: 'pbx-device',
  /** On the channel that is recorded. */
  recorded: 'pbx-record',
  /** On the caller's channel, when the attempt failed. */
  ended: 'pbx-end',
} as const;

/** What the engine writes by itself, as far as legs need it. */
export const ENGINE_EVENTS = [
  'ANSWER',
  'BRIDGE_EXIT',
  'HANGUP',
  'ATTENDEDTRANSFER',
  'LINKEDID_END',
  'DTMF',
  'USER_DEFINED',
] as const;

/**
 * Columns of a line. Those that may hold a comma are in quotes, and a quote in them is doubled. The engine evaluates any
 * other function than these as a dialplan does, with a channel made for it, which costs more than the call itself.
 */
export const JOURNAL_COLUMNS = [
  'eventtype',
  'eventtime',
  'CHANNEL(uniqueid)',
  'CHANNEL(linkedid)',
  `CSV_QUOTE(${variable('CHANNEL(channame)')})`,
  `CSV_QUOTE(${variable('eventextra')})`,
].map(variable);

function variable(name: string): string {
  return `\${${name}}`;
}
