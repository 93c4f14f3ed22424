import { asArgument } from './strangers-text.ts';

/** Our own events in the journal, beside those that the engine writes for each channel. The dialplan writes them. */
export const LEG_EVENTS = {
  /** On the caller's channel, before a leg with a name that is too long for the line that begins it. */
  name: 'pbx-name',
  /** On the caller's channel, when somebody is about to be rung. */
  begun: 'pbx-leg',
  /** On an inner channel, when an employee's phones are about to ring for a call that was ordered for him. */
  origin: 'pbx-origin',
  /** On the inner channel to a member of a queue, when the member is about to be rung. */
  member: 'pbx-member',
  /** On the other end of the inner channel to a member: this member took the call. */
  taken: 'pbx-taken',
  /** On the channel of a phone on which a member switched whether it takes queue calls. */
  switched: 'pbx-switch',
  /** On the channel to one device, before it rings. */
  device: 'pbx-device',
  /** On the channel that is recorded. */
  recorded: 'pbx-record',
  /** On the caller's channel, when an entry in a menu is complete. */
  keys: 'pbx-keys',
  /** On the caller's channel, when the attempt failed, or an application is over. */
  ended: 'pbx-end',
  /** On the channel of a phone that switched the line to closed, or back. */
  night: 'pbx-night',
  /** On the caller's channel, before an emergency number is dialled for the first time. */
  emergency: 'pbx-emergency',
} as const;

/** The engine's own events, as far as legs need them. */
export const ENGINE_EVENTS = [
  'ANSWER',
  'BRIDGE_EXIT',
  'HANGUP',
  'ATTENDEDTRANSFER',
  'LINKEDID_END',
  'DTMF',
  'USER_DEFINED',
] as const;

/** The engine cuts a line at this many bytes, so none may be longer; `journal-format.test.ts` checks it. */
export const LINE_BYTES = 1023;

/** How many bytes of a text are kept. A longer name gets a line of its own. */
export const ROOM = { number: 79, name: 92, callId: 98, longName: 511 } as const;

/**
 * A caller's text, encoded by a function of the dialplan: no character of it means anything in the journal, and its
 * length is limited. The dot is there because the engine complains when there is nothing to encode.
 */
export const encodedField = (source: string, bytes: number): string =>
  `=\${BASE64_ENCODE(.${asArgument(source, `:0:${bytes}`)})}`;

/** The same for a text that is known when the dialplan is written. */
export const encodedText = (text: string): string =>
  text === '' ? '' : `=${Buffer.from(`.${text.toWellFormed()}`).toString('base64')}`;

/**
 * Columns of a line. Those that may hold a comma are in quotes, and a quote in them is doubled. The engine would
 * evaluate any other function as in a dialplan, with a channel created for it, which costs more than the call itself.
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
