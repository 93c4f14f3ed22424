import type { OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';
import { acceptsGzip, isWorthCompressing, jsonParts } from './send.ts';

const deflateRawAsync = promisify(deflateRaw);

interface Packed {
  readonly parts: (Buffer | string)[];
  readonly headers: OutgoingHttpHeaders;
}

/** The envelope up to and including its data: these bytes stay the same as long as the data does. */
interface Beginning {
  readonly head: string;
  readonly bytes: Buffer;
  deflated?: Promise<Buffer>;
  crc?: number;
  /** The latest answer per encoding; its tail after the data usually changes only with the second. */
  plain?: Answered;
  gzip?: Answered;
}

interface Answered {
  readonly tail: string;
  readonly packed: Promise<Packed>;
}

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255]);
const NO_DATA = '"data":null';

/** Renders an envelope whose data many callers request: the data once, the rest once per second. */
export function createSharedRendering() {
  const kept = new WeakMap<object, Beginning>();

  return (envelope: object, data: object, acceptEncoding: string | string[] | undefined): Promise<Packed> => {
    const around = JSON.stringify({ ...envelope, data: null });
    // Only `result` precedes `data`, so this cannot match text from a caller.
    const at = around.indexOf(NO_DATA) + NO_DATA.length;
    const [head, tail] = [around.slice(0, at - 'null'.length), around.slice(at)];
    let beginning = kept.get(data);
    if (beginning?.head !== head) {
      beginning = { head, bytes: Buffer.from(head + JSON.stringify(data)) };
      kept.set(data, beginning);
    }
    const encoding = acceptsGzip(acceptEncoding) ? 'gzip' : 'plain';
    const pack = encoding === 'gzip' ? packGzip : packPlain;
    const known = beginning[encoding];
    if (known?.tail === tail) return known.packed;
    const packed = pack(beginning, tail);
    beginning[encoding] = { tail, packed };
    return packed;
  };
}

async function packPlain({ bytes }: Beginning, tail: string): Promise<Packed> {
  if (!isWorthCompressing(bytes.length)) return jsonParts(bytes + tail, undefined);
  return { parts: [bytes, Buffer.from(tail)], headers: { vary: 'Accept-Encoding' } };
}

/** One gzip member: the cached blocks, then those of the tail, then checksum and length over both. */
async function packGzip(beginning: Beginning, tail: string): Promise<Packed> {
  const { bytes } = beginning;
  if (!isWorthCompressing(bytes.length)) return jsonParts(bytes + tail, 'gzip');
  beginning.deflated ??= deflateRawAsync(bytes, {
    level: constants.Z_BEST_SPEED,
    // Ends at a byte boundary but does not finish the stream: more blocks follow.
    finishFlush: constants.Z_SYNC_FLUSH,
  });
  beginning.crc ??= crc32(bytes);
  const rest = Buffer.from(tail);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(rest, beginning.crc), 0);
  trailer.writeUInt32LE((bytes.length + rest.length) >>> 0, 4);
  return {
    parts: [GZIP_HEADER, await beginning.deflated, deflateRawSync(rest), trailer],
    headers: { vary: 'Accept-Encoding', 'content-encoding': 'gzip' },
  };
}
