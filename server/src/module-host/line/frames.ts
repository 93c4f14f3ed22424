/**
 * The format of messages between the core and a module's process: a length, the message as JSON, and after it its long
 * texts unchanged. A module's results are JSON already; inside JSON they would be encoded and parsed twice.
 */

/** Longer texts are sent beside their message. */
const LONG = 1024;

/** One message of a module with its texts: the largest answer, all in four-byte letters. */
const MAX_FRAME_BYTES = 17 * 1024 * 1024;
/** A module's message without its long texts, and the number of those texts. */
const MAX_HEAD_BYTES = 256 * 1024;
const MAX_TEXTS = 16;

/** Replaces the text of this number in a message. */
interface Lifted {
  readonly $: number;
  /** The text is an object, written as JSON. */
  readonly isJson?: true;
}

export interface Frame {
  /** As it was sent; nobody has checked it. */
  readonly message: unknown;
  readonly texts: readonly string[];
}

/** Data on the line that is not a frame, or is a frame that is too large. */
export class BrokenFrame extends Error {}

export function frameOf(message: object): Buffer {
  const texts: string[] = [];
  const head = JSON.stringify(lift(message, texts));
  const sizes = [head, ...texts].map((text) => Buffer.byteLength(text));
  const frame = Buffer.allocUnsafe(4 + sizes.reduce((sum, size) => sum + 4 + size, 0));
  let at = frame.writeUInt32LE(frame.length - 4);
  for (const [i, text] of [head, ...texts].entries()) {
    at = frame.writeUInt32LE(sizes[i] as number, at);
    at += frame.write(text, at);
  }
  return frame;
}

function lift(value: unknown, texts: string[]): unknown {
  if (typeof value === 'string') return value.length > LONG ? { $: texts.push(value) - 1 } : value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  // A caller's value with this key would be taken for such a placeholder.
  if (Object.hasOwn(value, '$')) return { $: texts.push(JSON.stringify(value)) - 1, isJson: true };
  let copy: Record<string, unknown> | undefined;
  for (const [key, one] of Object.entries(value)) {
    const lifted = lift(one, texts);
    if (lifted === one) continue;
    copy ??= { ...value };
    copy[key] = lifted;
  }
  return copy ?? value;
}

/** The message as it was before `frameOf`. Only for messages of the core. */
export function wholeMessage({ message, texts }: Frame): unknown {
  return texts.length === 0 ? message : restore(message, texts);
}

function restore(value: unknown, texts: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const text = textBeside(value, texts);
  if (text !== undefined) return (value as Lifted).isJson ? JSON.parse(text) : text;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, restore(one, texts)]));
}

/** The text that a placeholder in a message stands for. */
export function textBeside(value: unknown, texts: readonly string[]): string | undefined {
  const index = typeof value === 'object' && value !== null && '$' in value ? (value as Lifted).$ : undefined;
  return typeof index === 'number' ? texts[index] : undefined;
}

/**
 * Assembles pieces of a stream into frames; calls `onFrame` for each in order, and before it `look` with its unparsed
 * message. Throws `BrokenFrame`. With an infinite `most` nothing is bounded: a request may have more long headers than
 * a module has reason to send texts.
 */
export function createFrameReader(
  onFrame: (frame: Frame) => void,
  most = MAX_FRAME_BYTES,
  look: (head: Buffer) => void = () => {},
): (piece: Buffer) => void {
  let pieces: Buffer[] = [];
  let held = 0;

  return (piece) => {
    pieces.push(piece);
    held += piece.length;
    while (held >= 4) {
      if ((pieces[0] as Buffer).length < 4) pieces = [Buffer.concat(pieces)];
      const length = (pieces[0] as Buffer).readUInt32LE();
      if (length > most) throw new BrokenFrame('a message is too large');
      if (held < 4 + length) return;
      const all = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
      const rest = all.subarray(4 + length);
      pieces = rest.length > 0 ? [rest] : [];
      held = rest.length;
      onFrame(readFrame(all.subarray(4, 4 + length), Number.isFinite(most), look));
    }
  };
}

function readFrame(bytes: Buffer, isBounded: boolean, look: (head: Buffer) => void): Frame {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = at + 4 <= bytes.length ? bytes.readUInt32LE(at) : Number.POSITIVE_INFINITY;
    if (at + 4 + size > bytes.length) throw new BrokenFrame('a message is cut off');
    if (isBounded && (parts.length === 0 ? size > MAX_HEAD_BYTES : parts.length > MAX_TEXTS))
      throw new BrokenFrame('a message is too large');
    if (parts.length === 0) look(bytes.subarray(at + 4, at + 4 + size));
    parts.push(bytes.toString('utf8', at + 4, at + 4 + size));
    at += 4 + size;
  }
  const [head, ...texts] = parts;
  try {
    return { message: JSON.parse(head ?? ''), texts };
  } catch {
    throw new BrokenFrame('a message is not JSON');
  }
}
