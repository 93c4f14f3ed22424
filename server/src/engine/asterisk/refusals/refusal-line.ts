/** Source files of the engine whose messages are read. */
export const SOURCES = {
  /** Logs for each offer of voice which codecs both sides have in common. */
  offers: 'res_pjsip_session/pjsip_session_caps.c',
  /** Logs which number is called, among a hundred other things per call. */
  sessions: 'res_pjsip_session.c',
  ports: 'res_pjsip_sdp_rtp.c',
} as const;

/** One message of the engine about a new call; a thread deals with one call at a time. */
export type RefusalSign = {
  readonly thread: number;
  /** Milliseconds of the epoch. */
  readonly at: number;
} & (
  | { readonly type: 'called'; readonly account: string; readonly number: string }
  | { readonly type: 'offer'; readonly account: string; readonly isUsable: boolean }
  | { readonly type: 'refused'; readonly account: string }
  | { readonly type: 'no-port' }
);

interface LogLine {
  readonly timestamp: string;
  readonly identifiers: { readonly lwp: number };
  readonly logmsg: {
    readonly location: { readonly filename: string; readonly function: string };
    readonly level: string;
    readonly message: string;
  };
}

/** Accounts are named as in our own configuration; an active call has the name of its channel, with a `/`. */
const CALLED = /^ ?([\w@.+-]{1,79}): Call \([^)]*\) to extension '([^']*)' sending 100 Trying\s*$/;
const OFFER = /^'([\w@.+-]{1,79})' Caps for incoming audio call .* joint: \(([^()]*)\)\s*$/;
const REFUSED = /^ ?([\w@.+-]{1,79}): Couldn't negotiate stream /;
const TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d\.\d{3}) ([+-]\d\d)(\d\d)$/;
const DIALLED = /^[+*#0-9]{1,80}$/;

/** `undefined`: something else, or a line that was cut; `undated`: its time is not in our format, with the zone. */
export function parseRefusalLine(text: string): RefusalSign | 'undated' | undefined {
  const line = readLine(text);
  const sign = line && signOf(line);
  return sign && Number.isNaN(sign.at) ? 'undated' : sign;
}

function signOf(line: LogLine): RefusalSign | undefined {
  const { location, level, message } = line.logmsg;
  const seen = { thread: line.identifiers.lwp, at: timeOf(line.timestamp) };
  const source = `${level} ${location.filename}`;
  if (source === `DEBUG ${SOURCES.offers}`) {
    const [, account, common] = OFFER.exec(message) ?? [];
    const isUsable = common !== 'nothing' && common !== 'NONE';
    return account === undefined ? undefined : { ...seen, type: 'offer', account, isUsable };
  }
  if (source === `DEBUG ${SOURCES.sessions}` && location.function === 'new_invite') {
    const [, account, dialled = ''] = CALLED.exec(message) ?? [];
    const number = DIALLED.test(dialled) ? dialled : '';
    return account === undefined ? undefined : { ...seen, type: 'called', account, number };
  }
  if (source === `ERROR ${SOURCES.sessions}` && location.function === 'handle_incoming_sdp') {
    const [, account] = REFUSED.exec(message) ?? [];
    return account === undefined ? undefined : { ...seen, type: 'refused', account };
  }
  return source === `ERROR ${SOURCES.ports}` ? { ...seen, type: 'no-port' } : undefined;
}

function readLine(text: string): LogLine | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const line = JSON.parse(text) as LogLine;
    const { location, message } = line.logmsg;
    const isWhole = typeof location.filename === 'string' && typeof message === 'string';
    return isWhole && Number.isInteger(line.identifiers.lwp) ? line : undefined;
  } catch {
    return undefined;
  }
}

function timeOf(written: string): number {
  const [, date, time, hours, minutes] = TIME.exec(written) ?? [];
  return date === undefined ? Number.NaN : Date.parse(`${date}T${time}${hours}:${minutes}`);
}
