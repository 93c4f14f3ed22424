import { shownText } from '../../../lib/shown-text.ts';
import { CLOSING_SIGN } from '../dialplan/strangers-text.ts';

/** One event of one channel, as the engine wrote it. The columns are in `dialplan/journal-format.ts`. */
export interface JournalLine {
  readonly type: string;
  /** Milliseconds of the epoch. */
  readonly at: number;
  readonly channelId: string;
  readonly linkedId: string;
  /** `PJSIP/201-0000002a` */
  readonly channel: string;
  /** The fields of our own events. */
  readonly fields: readonly string[];
  /** The details of the engine's events. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Part of the line is missing: what could be read counts. */
  readonly isDamaged: boolean;
}

const MAX_TEXT = 255;
const ID = /^[\w.-]{1,150}$/;
const HEAD = /^([^,]*),([^,]*),([^,]*),([^,]*),/;
/** After the head, two quoted columns; or percent-encoded ones, as in journals of earlier versions. */
const REST = /^("(?:[^"]|"")*"|[^,"]*),("(?:[^"]|"")*"|[^,"]*)$/;
const CUT_REST = /^"?([\w/.-]*)(?:.*?""extra"":""([^",]*))?/;

/** `undefined`: the line cannot be attributed to a call, for example the last one before a power cut. */
export function parseJournalLine(text: string): JournalLine | undefined {
  const [head = '', type = '', time = '', channelId = '', linkedId = ''] = HEAD.exec(text) ?? [];
  const at = Math.floor(Number(time) * 1000);
  if (!(at > 0) || !ID.test(channelId) || !ID.test(linkedId)) return undefined;
  const known = { type, at, channelId, linkedId };
  const rest = text.slice(head.length);
  const [whole, channel = '', extra = ''] = REST.exec(rest) ?? [];
  if (whole === undefined) return { ...known, ...partsOf(rest), details: {}, isDamaged: true };
  const details = detailsOf(column(extra));
  const own = typeof details.extra === 'string' ? details.extra.split('|').map(readField) : [];
  return { ...known, channel: column(channel), fields: own, details, isDamaged: false };
}

/** The parts of a line that was cut: its last field may be incomplete, so it is left out. */
function partsOf(rest: string): Pick<JournalLine, 'channel' | 'fields'> {
  const [, channel = '', extra = ''] = CUT_REST.exec(rest) ?? [];
  return { channel, fields: extra.split('|').slice(0, -1).map(readField) };
}

const column = (text: string): string =>
  text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : decode(text);

/** `=` and base64 of a dot and the text; journals of earlier versions have percent-encoded characters. */
function readField(text: string): string {
  if (text.startsWith('=')) {
    const written = wholeCharacters(Buffer.from(text.slice(1), 'base64').subarray(1));
    return shownText(written.replaceAll(CLOSING_SIGN, ')'), MAX_TEXT);
  }
  return text.includes('%') ? shownText(decode(text), MAX_TEXT) : text;
}

/** A character that was cut at the end is left out; bytes that are not text become U+FFFD. */
const wholeCharacters = (bytes: Buffer): string => new TextDecoder().decode(bytes, { stream: true });

function detailsOf(json: string): Record<string, unknown> {
  if (json === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Callers may send bytes that are not text: those become U+FFFD instead of an error. */
function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text).replaceAll('\0', '');
  } catch {
    return decodeBytes(text);
  }
}

function decodeBytes(text: string): string {
  const bytes: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const hex = text[at] === '%' ? text.slice(at + 1, at + 3) : '';
    if (/^[\dA-Fa-f]{2}$/.test(hex)) {
      bytes.push(Number.parseInt(hex, 16));
      at += 2;
    } else bytes.push(text.charCodeAt(at) & 0xff);
  }
  // No database accepts a zero inside a text.
  return Buffer.from(bytes).toString().replaceAll('\0', '');
}
