import type { IncomingMessage } from 'node:http';
import { createGunzip, type Gunzip } from 'node:zlib';
import { BodyTooLarge, BodyTypeRefused, MalformedBody } from '../lib/errors.ts';
import { isNestedDeeper, MAX_JSON_DEPTH } from '../lib/json-depth.ts';

const MAX_BODY_BYTES = 1024 * 1024;
/** Where a CSV file is expected (contract 1.5). */
const MAX_CSV_BYTES = 10 * 1024 * 1024;
/** For a calendar file, as parsing it delays all other requests (contract 26.9). */
const MAX_CALENDAR_BYTES = 2 * 1024 * 1024;

export interface BodyRules {
  readonly form?: true;
  readonly gzip?: true;
  /** `text/csv` too, read as the field `csv`. */
  readonly csv?: true;
  /** `text/calendar` too, read as the field `ics`. */
  readonly calendar?: true;
  /** Any body, read as `{raw, data}`: the form for older modules (contract 9.3). */
  readonly raw?: true;
  /** A body of any type, unchanged, read as the field `bytes`. */
  readonly bytes?: { readonly maxBytes: number };
  /** A file of this type and nothing else, read as the field `file`. */
  readonly file?: { readonly type: string; readonly maxBytes: number };
  /** One of these types, each with its schema; the handler reads it in chunks as the optional field `content`. */
  readonly content?: {
    readonly types: Readonly<Record<string, object>>;
    readonly maxBytes: number;
    /** The error text for other types. */
    readonly refusal: string;
  };
}

/** A body that is too large to be held in memory. */
export interface IncomingContent {
  /** Without parameters, lower case. */
  readonly type: string;
  /** Of a multipart form, otherwise empty. */
  readonly boundary: string;
  readonly chunks: AsyncIterable<Buffer>;
}

/** Reads a request body as a JSON object (contract 1.5). An absent or empty body counts as `{}`. */
export async function readBody(request: IncomingMessage, rules: BodyRules): Promise<Record<string, unknown>> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const compressed = encoding === 'gzip' && rules.gzip === true;
  if (!compressed && encoding !== 'identity')
    throw new BodyTypeRefused('Content-Encoding is not accepted here');
  if (rules.bytes) return { bytes: await collect(request, false, rules.bytes.maxBytes) };
  if (rules.file) return readFile(request, rules.file);
  if (rules.content) return isBodyless(request) ? {} : { content: contentOf(request, rules.content) };
  const bytes = await collect(request, compressed, mostBytes(rules));
  if (rules.raw) return { raw: bytes.toString('utf8'), data: looseData(request, bytes) };
  if (bytes.length === 0) return {};
  const type = contentType(request);
  if (type === 'application/json') return parseObject(bytes);
  if (type === 'application/x-www-form-urlencoded' && rules.form) {
    return Object.fromEntries(new URLSearchParams(decode(bytes)));
  }
  if (type === 'text/csv' && rules.csv) return { csv: decode(bytes) };
  if (type === 'text/calendar' && rules.calendar) return { ics: decode(bytes) };
  const others = [
    rules.form && 'application/x-www-form-urlencoded',
    rules.csv && 'text/csv',
    rules.calendar && 'text/calendar',
  ].filter(Boolean);
  throw new BodyTypeRefused(`Content-Type must be ${['application/json', ...others].join(' or ')}, in UTF-8`);
}

/** The same for a JSON body that did not arrive over HTTP. */
export function readJsonBody(bytes: Buffer, rules: BodyRules): Record<string, unknown> {
  if (rules.raw || rules.file || rules.content) throw new BodyTypeRefused('files can be sent over HTTP only');
  if (bytes.length > mostBytes(rules)) throw tooLarge(mostBytes(rules));
  return bytes.length === 0 ? {} : parseObject(bytes);
}

function mostBytes({ csv, calendar }: BodyRules): number {
  if (csv) return MAX_CSV_BYTES;
  return calendar ? MAX_CALENDAR_BYTES : MAX_BODY_BYTES;
}

async function readFile(
  request: IncomingMessage,
  { type, maxBytes }: NonNullable<BodyRules['file']>,
): Promise<Record<string, unknown>> {
  // Checked before anything is read, as the file may be large.
  if (request.headers['content-type'] !== undefined && contentType(request) !== type)
    throw new BodyTypeRefused(`Content-Type must be ${type}`);
  const bytes = await collect(request, false, maxBytes);
  if (bytes.length === 0) return {};
  if (contentType(request) !== type) throw new BodyTypeRefused(`Content-Type must be ${type}`);
  return { file: bytes };
}

const isBodyless = ({ headers }: IncomingMessage): boolean =>
  headers['content-type'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  Number(headers['content-length'] ?? 0) === 0;

function contentOf(
  request: IncomingMessage,
  { types, maxBytes, refusal }: NonNullable<BodyRules['content']>,
): IncomingContent {
  const header = request.headers['content-type'] ?? '';
  const type = (header.split(';')[0] as string).trim().toLowerCase();
  if (!Object.hasOwn(types, type)) throw new BodyTypeRefused(refusal);
  const [, quoted, plain = ''] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(header) ?? [];
  const boundary = quoted ?? plain;
  if (type.startsWith('multipart/') && boundary === '') throw new MalformedBody('the form has no boundary');
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  return { type, boundary, chunks: bounded(request.iterator({ destroyOnReturn: false }), false, maxBytes) };
}

function looseData(request: IncomingMessage, bytes: Buffer): Record<string, unknown> {
  const type = contentType(request);
  if (bytes.length > 0 && type === 'application/json') return parseObject(bytes);
  if (type !== 'application/x-www-form-urlencoded') return {};
  return Object.fromEntries(new URLSearchParams(decode(bytes)));
}

/** The type without parameters; empty when absent, `undefined` when the charset is not UTF-8. */
function contentType(request: IncomingMessage): string | undefined {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '')
    .split(';')
    .map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  return charset === undefined || charset === 'utf-8' || charset === 'utf8' ? type : undefined;
}

async function collect(request: IncomingMessage, compressed: boolean, most: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most);
  // A body that is too large is not read to its end here, but the connection must stay open for the answer.
  const source = compressed ? unpacked(request) : request.iterator({ destroyOnReturn: false });
  const chunks: Buffer[] = [];
  for await (const chunk of bounded(source, compressed, most)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* bounded(
  source: AsyncIterable<Buffer>,
  compressed: boolean,
  most: number,
): AsyncGenerator<Buffer> {
  let size = 0;
  try {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > most) throw tooLarge(most);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof BodyTooLarge) throw error;
    throw new MalformedBody(compressed ? 'the body is not valid gzip' : 'the body did not arrive whole');
  }
}

/** `pipe` does not forward errors: without this the reader would wait for ever when the client goes away. */
function unpacked(request: IncomingMessage): Gunzip {
  const gunzip = createGunzip();
  request.once('error', (error) => gunzip.destroy(error));
  return request.pipe(gunzip);
}

const tooLarge = (most: number) => new BodyTooLarge(`the body is larger than ${most} bytes`);

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedBody('the body is not valid UTF-8');
  }
}

function parseObject(bytes: Buffer): Record<string, unknown> {
  // Contract 17.1; checked before the text is parsed.
  if (isNestedDeeper(bytes)) throw new MalformedBody(`body: nested deeper than ${MAX_JSON_DEPTH}`);
  let value: unknown;
  try {
    value = JSON.parse(decode(bytes));
  } catch (error) {
    if (error instanceof MalformedBody) throw error;
    throw new MalformedBody('the body is not valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MalformedBody('the body must be a JSON object');
  }
  return value as Record<string, unknown>;
}
