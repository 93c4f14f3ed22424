import { shownText } from './shown-text.ts';

/** One thing that happened to one channel, as the engine wrote it down. Its columns are in `dialplan/journal-format.ts`. */
export interface JournalLine {
  readonly type: string;
  /** Milliseconds of the epoch. */
  readonly at: number;
  readonly channelId: string;
  readonly linkedId: string;
  /** `PJSIP/201-0000002a` */
  readonly channel: string;
  /** Of our own events. */
  readonly fields: readonly string[];
  /** Of the engine's. */
  readonly details: Readonly<Record<string, unknown>>;
}

const MAX_TEXT = 255;
const ID = /^[\w.-]{1,150}$/;
/** Four plain columns, then two that are in quotes; or percent-encoded, as in journals of earlier versions. */
const COLUMNS = /^([^,]*),([^,]*),([^,]*),([^,]*),("(?:[^"]|"")*"|[^,"]*),("(?:[^"]|"")*"|[^,"]*)$/;

/** `undefined`: not a whole line, for example the last one before a power cut. */
export function parseJournalLine(text: string): JournalLine | undefined {
  const [, type = '', time = '', channelId = '', linkedId = '', channel = '', extra = ''] =
    COLUMNS.exec(text) ?? [];
  const at = Math.floor(Number(time) * 1000);
  if (!(at > 0) || !ID.test(channelId) || !ID.test(linkedId)) return undefined;
  const details = detailsOf(column(extra));
  const own = typeof details.extra === 'string' ? details.extra.split('|').map(readField) : [];
  return { type, at, channelId, linkedId, channel: column(channel), fields: own, details };
}

const column = (text: string): string =>
  text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : decode(text);

/** What a caller wrote has a sign that is encoded, unless it is harmless. */
const readField = (text: string): string => (text.includes('%') ? shownText(decode(text), MAX_TEXT) : text);

function detailsOf(json: string): Record<string, unknown> {
  if (json === '') return {};
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Callers may send bytes that are no text: those become U+FFFD instead of an error. */
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
  // No database takes a zero inside a text.
  return Buffer.from(bytes).toString().replaceAll('\0', '');
}
