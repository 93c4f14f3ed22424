import type { ByteSource } from './byte-source.ts';

/** `unknown`: no format that we read. `broken`: it claims to be one, and is not. */
export type RefusalKind = 'unknown' | 'broken';

/** A file that is refused; the reason is for the sender. */
export class SoundRefused extends Error {
  readonly kind: RefusalKind;
  constructor(kind: RefusalKind, reason: string) {
    super(reason);
    this.kind = kind;
  }
}

export type SampleKind = 'u8' | 's16' | 's24' | 's32' | 'f32' | 'alaw' | 'ulaw';

/** A file's description of its samples, checked against its contents. */
export interface WaveFile {
  readonly kind: SampleKind;
  readonly channels: 1 | 2;
  readonly rate: number;
  readonly frameBytes: number;
  readonly frames: number;
  /** Where the samples begin. */
  readonly start: number;
}

const MIN_RATE = 8000;
const MAX_RATE = 192_000;
const MIN_SECONDS = 0.1;
const MAX_SECONDS = 1800;
/** Sensible files have a dozen; each costs a read. */
const MAX_CHUNKS = 1000;
/** By `<format>/<bits>`: PCM, IEEE float, A-law, µ-law. `EXTENSIBLE` names the format at the end. */
const KINDS: Readonly<Record<string, SampleKind>> = {
  '1/8': 'u8',
  '1/16': 's16',
  '1/24': 's24',
  '1/32': 's32',
  '3/32': 'f32',
  '6/8': 'alaw',
  '7/8': 'ulaw',
};
const EXTENSIBLE = 0xfffe;
/** The rest of a GUID that names a format, after the format number. */
const GUID_REST = '000000001000800000aa00389b71';

export const UNKNOWN_SOUND = 'send PCM WAV; the page converts by itself';
const unknown = () => new SoundRefused('unknown', UNKNOWN_SOUND);
const broken = (reason: string) => new SoundRefused('broken', reason);

/** Reads the header of a RIFF WAVE file (contract 24.2); throws `SoundRefused` for everything else (24.3). */
export function readWaveFile(source: ByteSource): WaveFile {
  const end = readRiff(source);
  let format: Pick<WaveFile, 'kind' | 'channels' | 'rate' | 'frameBytes'> | undefined;
  let at = 12;
  for (let count = 0; at + 8 <= end; count++) {
    if (count === MAX_CHUNKS) throw broken(`has more than ${MAX_CHUNKS} chunks`);
    const head = bytesAt(source, at, 8);
    const name = head.toString('latin1', 0, 4);
    const size = head.readUInt32LE(4);
    const start = at + 8;
    if (size > end - start) throw broken('promises more than there is');
    if (name === 'fmt ' && !format) format = readFormat(source, start, size);
    if (name === 'data') {
      if (!format) throw broken('has samples before their format');
      return { ...format, start, frames: countFrames(size, format) };
    }
    // A chunk of odd size is followed by a padding byte.
    at = start + size + (size % 2);
  }
  throw broken('holds no samples');
}

/** Where the file ends according to its header. */
function readRiff(source: ByteSource): number {
  if (source.size === 0) throw broken('is empty');
  const head = bytesAt(source, 0, Math.min(12, source.size));
  if (!'RIFF'.startsWith(head.toString('latin1', 0, 4))) throw unknown();
  if (head.length < 12) throw broken('is incomplete');
  if (head.toString('latin1', 8) !== 'WAVE') throw unknown();
  const end = 8 + head.readUInt32LE(4);
  if (end > source.size) throw broken('promises more than there is');
  return end;
}

function readFormat(source: ByteSource, start: number, size: number) {
  if (size < 16) throw broken('does not say what its samples are');
  const head = bytesAt(source, start, Math.min(size, 40));
  const channels = head.readUInt16LE(2);
  const rate = head.readUInt32LE(4);
  const frameBytes = head.readUInt16LE(12);
  const bits = head.readUInt16LE(14);
  if (channels === 0 || rate === 0) throw broken('does not give its channels or its rate');
  const kind = KINDS[`${formatNumber(head)}/${bits}`];
  if (!kind) throw unknown();
  if (channels !== 1 && channels !== 2) throw unknown();
  if (rate < MIN_RATE || rate > MAX_RATE) throw unknown();
  if (frameBytes !== (channels * bits) / 8) throw broken('gives contradictory sample sizes');
  return { kind, channels, rate, frameBytes } as const;
}

function formatNumber(head: Buffer): number {
  const number = head.readUInt16LE(0);
  if (number !== EXTENSIBLE) return number;
  if (head.length < 40) throw broken('does not say what its samples are');
  if (head.toString('hex', 26) !== GUID_REST) throw unknown();
  return head.readUInt16LE(24);
}

function countFrames(bytes: number, { frameBytes, rate }: Pick<WaveFile, 'frameBytes' | 'rate'>): number {
  if (bytes === 0) throw broken('holds no samples');
  if (bytes % frameBytes !== 0) throw broken('ends within a sample');
  const frames = bytes / frameBytes;
  if (frames < MIN_SECONDS * rate || frames > MAX_SECONDS * rate)
    throw broken(
      `must last ${MIN_SECONDS}..${MAX_SECONDS} s (got ${Math.round((frames / rate) * 100) / 100})`,
    );
  return frames;
}

function bytesAt(source: ByteSource, from: number, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  source.read(from, bytes);
  return bytes;
}
