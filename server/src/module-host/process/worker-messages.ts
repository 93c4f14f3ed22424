import { isNestedDeeper } from '../../lib/json-depth.ts';
import { BrokenFrame, type Frame, textBeside } from '../line/frames.ts';
import {
  MAX_ASKED_LENGTH,
  MAX_RESULT_BYTES,
  MAX_SPECIAL_HEADERS,
  MAX_SPECIAL_LENGTH,
} from '../line/message-sizes.ts';
import type { Done, FromWorker, Special } from '../line/protocol.ts';
import { MAX_MESSAGE_LENGTH, MAX_MESSAGES } from '../line/texts.ts';

const MAX_LINE_LENGTH = 4_000;
const MAX_NAME_LENGTH = 100;
const LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/**
 * Reads a message of a module's process. It may hold anything, since the module can write to the line directly: the
 * result is built anew from checked values. Throws `BrokenFrame`.
 */
export function readMessage(frame: Frame): FromWorker {
  const given = objectOf(frame.message);
  const text = (key: string, most: number): string => textOf(given[key], frame.texts, most);
  const n = () => countOf(given.n);
  switch (given.t) {
    case 'described':
      return { t: 'described', json: text('json', MAX_RESULT_BYTES) };
    case 'started':
      return { t: 'started', isAwake: given.isAwake !== false };
    case 'failed':
      return { t: 'failed', reason: text('reason', MAX_LINE_LENGTH) };
    case 'done':
      return doneOf(given, frame.texts);
    case 'refused':
      return { t: 'refused', n: n(), status: countOf(given.status), reasons: lines(given.reasons) };
    case 'threw':
      return { t: 'threw', n: n(), text: text('text', MAX_LINE_LENGTH) };
    case 'unsendable':
      return { t: 'unsendable', n: n(), reason: text('reason', MAX_MESSAGE_LENGTH) };
    case 'ask':
      return {
        t: 'ask',
        n: n(),
        during: given.during === undefined ? undefined : countOf(given.during),
        what: text('what', MAX_NAME_LENGTH),
        json: text('json', MAX_ASKED_LENGTH),
      };
    case 'log': {
      const level = LEVELS.find((known) => known === given.level);
      if (!level) throw new BrokenFrame('a log line has no known level');
      return {
        t: 'log',
        level,
        text: text('text', MAX_LINE_LENGTH),
        json: detailsOf(text('json', MAX_LINE_LENGTH)),
      };
    }
    case 'listen':
      return { t: 'listen', type: text('type', MAX_NAME_LENGTH) };
    case 'loading':
    case 'pong':
    case 'stopped':
      return { t: given.t };
    default:
      throw new BrokenFrame('a message has an unknown type');
  }
}

function doneOf(given: Record<string, unknown>, texts: readonly string[]): Done {
  const { json, count, total, special } = given;
  return {
    t: 'done',
    n: countOf(given.n),
    json: json === undefined ? undefined : textOf(json, texts, MAX_RESULT_BYTES),
    info: lines(given.info),
    warning: lines(given.warning),
    ...(count !== undefined && { count: countOf(count) }),
    ...(Number.isSafeInteger(total) && { total: total as number }),
    ...(special !== undefined && { special: specialOf(objectOf(special), texts) }),
  };
}

const SPECIAL_TEXTS = ['file', 'download', 'redirect', 'text', 'type'] as const;

function specialOf(given: Record<string, unknown>, texts: readonly string[]): Special {
  const known = SPECIAL_TEXTS.filter((key) => given[key] !== undefined);
  const pairs = known.map((key) => [
    key,
    textOf(given[key], texts, key === 'text' ? MAX_RESULT_BYTES : MAX_SPECIAL_LENGTH),
  ]);
  if (given.headers === undefined) return Object.fromEntries(pairs);
  const headers = Object.entries(objectOf(given.headers));
  if (headers.length > MAX_SPECIAL_HEADERS) throw new BrokenFrame('an answer has too many headers');
  const read = headers.map(([name, value]) => [name, textOf(value, texts, MAX_SPECIAL_LENGTH)]);
  return { ...Object.fromEntries(pairs), headers: Object.fromEntries(read) };
}

function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BrokenFrame('a message is not an object');
  return value as Record<string, unknown>;
}

function textOf(value: unknown, texts: readonly string[], most: number): string {
  const text = typeof value === 'string' ? value : textBeside(value, texts);
  if (text === undefined || text.length > most)
    throw new BrokenFrame('a text in a message is missing or too long');
  return text;
}

function countOf(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw new BrokenFrame('a number in a message is missing or invalid');
  return value as number;
}

function lines(value: unknown): string[] {
  const isGood =
    Array.isArray(value) &&
    value.length <= MAX_MESSAGES &&
    value.every((line) => typeof line === 'string' && line.length <= MAX_MESSAGE_LENGTH);
  if (!isGood) throw new BrokenFrame('the info or warning texts of an answer are invalid');
  return value;
}

/** The log serializes them: details that cannot be serialized are not shown. */
function detailsOf(json: string): string {
  return isNestedDeeper(Buffer.from(json)) ? '"details cannot be shown"' : json;
}
