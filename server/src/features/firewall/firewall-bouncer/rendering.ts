import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import type { DurationFormat } from '../../../lib/bouncer-options.ts';
import type { Decision } from './decision.ts';
import { DURATION_WRITERS } from './duration.ts';
import { type DurationSlots, encodeWithSlot, findSlots, writeDurations } from './duration-slots.ts';
import { layOut, type OrderedBytes } from './ordered-bytes.ts';
import { cutSlowReaders, type Reader } from './slow-readers.ts';

const deflateRawAsync = promisify(deflateRaw);

/** The text before the first decision of `new`. The text after the last one differs per poll (see stream-body.ts). */
export const OPENING = '{"new":[';

/** Room for growth, so that a buffer can be reused for a longer list. */
const SLACK = 1.1;

/** The decisions as JSON at one moment. Its bytes do not change while a reader holds it. */
export interface Rendering {
  /** The decisions joined by commas, without the brackets around them. */
  readonly json: Buffer;
  readonly decisions: readonly Decision[];
  /** The moment for which the durations are true. */
  readonly at: number;
  /** OPENING and the decisions as raw deflate blocks, ended at a byte boundary but not finished; made once, shared. */
  deflated(): Promise<Deflated>;
  /** Keeps the bytes as they are until the returned function is called. A reader that takes too long is cut off. */
  hold(reader: Reader): () => void;
}

interface Deflated {
  readonly blocks: Buffer;
  readonly crc: number;
  readonly length: number;
}

/** The text for one second, and its present readers. */
interface Sheet {
  readonly layout: OrderedBytes;
  readonly buffer: Buffer;
  readonly slots: DurationSlots;
  at: number;
  readonly readers: Set<Reader>;
  deflated: Promise<Deflated> | undefined;
}

/**
 * Renders `new`, at most once a second and shared by all keys: durations have fixed-width slots, so a new second only
 * overwrites digits in the existing text.
 */
export function createRenderer(format: DurationFormat = 'seconds') {
  const writer = DURATION_WRITERS[format];
  let latest: Sheet | undefined;
  let busy: Sheet[] = [];
  let spare: Buffer[] = [];

  return {
    render(decisions: readonly Decision[], now: number): Rendering {
      if (!latest || latest.layout.decisions !== decisions) latest = relaid(decisions, now);
      else if (Math.floor(latest.at / 1000) !== Math.floor(now / 1000)) latest = refreshed(latest, now);
      return rendering(latest);
    },
  };

  function encode(decision: Decision): Buffer {
    return encodeWithSlot(decision, writer);
  }

  function relaid(decisions: readonly Decision[], now: number): Sheet {
    const previous = latest;
    retire(previous, now);
    let buffer: Buffer | undefined;
    const layout = layOut(decisions, encode, previous?.layout, (size) => {
      buffer = blank(size);
      return buffer;
    });
    const sheet: Sheet = {
      layout,
      buffer: buffer as Buffer,
      slots: findSlots(layout, previous?.slots),
      at: now,
      readers: new Set(),
      deflated: undefined,
    };
    writeDurations(sheet.layout, sheet.slots, now, writer);
    // Only now, as the layout was copied from this buffer.
    if (previous?.readers.size === 0) keepSpare(previous.buffer);
    return sheet;
  }

  function refreshed(sheet: Sheet, now: number): Sheet {
    let fresh = sheet;
    if (sheet.readers.size > 0) {
      retire(sheet, now);
      const buffer = blank(sheet.layout.bytes.length);
      sheet.layout.bytes.copy(buffer);
      const layout = { ...sheet.layout, bytes: buffer.subarray(0, sheet.layout.bytes.length) };
      fresh = { ...sheet, layout, buffer, readers: new Set() };
    }
    fresh.at = now;
    fresh.deflated = undefined;
    writeDurations(fresh.layout, fresh.slots, now, writer);
    return fresh;
  }

  /** A sheet that is still being read is set aside until its last reader is done. */
  function retire(sheet: Sheet | undefined, now: number): void {
    if (!sheet || sheet.readers.size === 0) return;
    busy.push(sheet);
    cutSlowReaders(busy, now);
  }

  function blank(size: number): Buffer {
    const index = spare.findIndex((buffer) => buffer.length >= size);
    return index < 0
      ? Buffer.allocUnsafeSlow(Math.ceil(size * SLACK))
      : (spare.splice(index, 1)[0] as Buffer);
  }

  function keepSpare(buffer: Buffer): void {
    spare = [buffer, ...spare].slice(0, 2);
  }

  function rendering(sheet: Sheet): Rendering {
    const { layout, at } = sheet;
    return {
      json: withoutLastComma(layout),
      decisions: layout.decisions,
      at,
      deflated: () => {
        sheet.deflated ??= deflate(sheet);
        return sheet.deflated;
      },
      hold: (reader) => hold(sheet, reader),
    };
  }

  function hold(sheet: Sheet, reader: Reader): () => void {
    sheet.readers.add(reader);
    return () => {
      if (!sheet.readers.delete(reader) || sheet.readers.size > 0 || sheet === latest) return;
      busy = busy.filter((other) => other !== sheet);
      keepSpare(sheet.buffer);
    };
  }

  async function deflate(sheet: Sheet): Promise<Deflated> {
    const release = hold(sheet, { owner: 'compression', cutOff() {} });
    try {
      const opening = Buffer.from(OPENING);
      const bytes = withoutLastComma(sheet.layout);
      const options = { level: 1, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 1024 * 1024 };
      // The two runs of blocks can be joined into one stream: the second has no back-references into the first.
      const [first, second] = await Promise.all([
        deflateRawAsync(opening, options),
        deflateRawAsync(bytes, options),
      ]);
      return {
        blocks: Buffer.concat([first, second]),
        crc: crc32(bytes, crc32(opening)),
        length: opening.length + bytes.length,
      };
    } finally {
      release();
    }
  }
}

/** Every entry ends in a comma, so that it can be copied anywhere; the last comma is not sent. */
const withoutLastComma = ({ bytes }: OrderedBytes): Buffer =>
  bytes.subarray(0, Math.max(0, bytes.length - 1));
