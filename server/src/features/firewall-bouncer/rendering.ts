import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { Overloaded } from '../../lib/errors.ts';
import { type Decision, decisionId, ENDLESS, remainingSeconds } from './decision.ts';
import { layOut, type OrderedBytes } from './ordered-bytes.ts';

const deflateRawAsync = promisify(deflateRaw);

/** The text before the first decision of `new`. What follows the last one is the poll's own (see stream-body.ts). */
export const OPENING = '{"new":[';

/** Renderings that clients are still reading. More than this and the next poll is refused instead of eating memory. */
const MAX_BUSY = 8;
/** Room for growth, so that a buffer can be used again for a longer list. */
const SLACK = 1.1;

/** The decisions as JSON at one moment. It is not changed while anybody holds it. */
export interface Rendering {
  /** The decisions joined by commas, without the brackets around them. */
  readonly json: Buffer;
  readonly decisions: readonly Decision[];
  /** The moment that the durations are true for. */
  readonly at: number;
  /** OPENING and the decisions as raw deflate blocks, ended at a byte boundary but not finished; made once, shared. */
  deflated(): Promise<Deflated>;
  /** Keeps the bytes as they are until the returned function is called. */
  hold(): () => void;
}

export interface Deflated {
  readonly blocks: Buffer;
  readonly crc: number;
  readonly length: number;
}

interface Sheet {
  readonly layout: OrderedBytes;
  readonly buffer: Buffer;
  readonly expiries: Float64Array;
  /** How many bytes follow the duration of each entry. */
  readonly closings: Uint8Array;
  /** The seconds that stand in the bytes now. */
  readonly written: Int32Array;
  at: number;
  holders: number;
  deflated: Promise<Deflated> | undefined;
}

/**
 * Renders `new`, at most once a second and shared by all keys: durations stand in places of fixed width, so a new second
 * only writes digits into the text that is already there.
 */
export function createRenderer() {
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

  function relaid(decisions: readonly Decision[], now: number): Sheet {
    const previous = latest;
    retire(previous);
    let buffer: Buffer | undefined;
    const layout = layOut(decisions, encode, previous?.layout, (size) => {
      buffer = blank(size);
      return buffer;
    });
    const sheet: Sheet = {
      layout,
      buffer: buffer as Buffer,
      ...durationsOf(layout, previous),
      at: now,
      holders: 0,
      deflated: undefined,
    };
    writeDurations(sheet);
    // Only now: the layout was copied from it.
    if (previous?.holders === 0) keepSpare(previous.buffer);
    return sheet;
  }

  function refreshed(sheet: Sheet, now: number): Sheet {
    let fresh = sheet;
    if (sheet.holders > 0) {
      retire(sheet);
      const buffer = blank(sheet.layout.bytes.length);
      sheet.layout.bytes.copy(buffer);
      const layout = { ...sheet.layout, bytes: buffer.subarray(0, sheet.layout.bytes.length) };
      fresh = { ...sheet, layout, buffer, holders: 0 };
    }
    fresh.at = now;
    fresh.deflated = undefined;
    writeDurations(fresh);
    return fresh;
  }

  /** A sheet that is still being read is set aside until its last reader is done. */
  function retire(sheet: Sheet | undefined): void {
    if (!sheet || sheet.holders === 0) return;
    if (busy.length >= MAX_BUSY) throw new Overloaded('too many clients are reading slowly');
    busy.push(sheet);
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
      hold: () => hold(sheet),
    };
  }

  function hold(sheet: Sheet): () => void {
    let held = true;
    sheet.holders++;
    return () => {
      if (!held) return;
      held = false;
      sheet.holders--;
      if (sheet.holders > 0 || sheet === latest) return;
      busy = busy.filter((other) => other !== sheet);
      keepSpare(sheet.buffer);
    };
  }

  async function deflate(sheet: Sheet): Promise<Deflated> {
    const release = hold(sheet);
    try {
      const opening = Buffer.from(OPENING);
      const bytes = withoutLastComma(sheet.layout);
      const options = { level: 1, finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 1024 * 1024 };
      // Two runs of blocks may follow each other in one stream: the second never looks back into the first.
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

/** `"999999999s"` with its quotes. Shorter ones have blanks before them, which JSON allows. */
const SLOT_WIDTH = 12;
const closing = (scenario: string): string => `,"scenario":"${scenario}"},`;
const [QUOTE, SECONDS, BLANK, ZERO] = [0x22, 0x73, 0x20, 0x30];

function encode(decision: Decision): Buffer {
  const { value, scenario, expiresAt } = decision;
  const origin = scenario === 'pbx/manual' ? 'pbx-networkfilters' : 'pbx-fail2ban';
  const scope = value.includes('/') ? 'Range' : 'Ip';
  const slot = (expiresAt === Infinity ? `"${ENDLESS}"` : '').padStart(SLOT_WIDTH);
  return Buffer.from(
    `{"id":${decisionId(value, scenario)},"origin":"${origin}","type":"ban","scope":"${scope}",` +
      `"value":"${value}","duration":${slot}${closing(scenario)}`,
    'latin1',
  );
}

/** Every entry ends in a comma, so that it can be copied to any place; the last one's is not sent. */
const withoutLastComma = ({ bytes }: OrderedBytes): Buffer =>
  bytes.subarray(0, Math.max(0, bytes.length - 1));

function durationsOf(
  { decisions, origins }: OrderedBytes,
  previous: Sheet | undefined,
): Pick<Sheet, 'expiries' | 'closings' | 'written'> {
  const expiries = new Float64Array(decisions.length);
  const closings = new Uint8Array(decisions.length);
  const written = new Int32Array(decisions.length);
  for (let i = 0; i < decisions.length; i++) {
    const origin = origins[i] as number;
    if (previous && origin >= 0) {
      expiries[i] = previous.expiries[origin] as number;
      closings[i] = previous.closings[origin] as number;
      written[i] = previous.written[origin] as number;
    } else {
      const { expiresAt, scenario } = decisions[i] as Decision;
      expiries[i] = expiresAt;
      closings[i] = closing(scenario).length;
    }
  }
  return { expiries, closings, written };
}

/** This loop runs for every ban in each second that somebody polls in. */
function writeDurations({ layout, closings, expiries, written, at }: Sheet): void {
  const { bytes, starts } = layout;
  for (let i = 0; i < expiries.length; i++) {
    const expiresAt = expiries[i] as number;
    if (expiresAt === Infinity) continue;
    // `| 0`: dividing integers is many times faster.
    let seconds = remainingSeconds(expiresAt, at) | 0;
    const passed = (written[i] as number) - seconds;
    if (passed === 0) continue;
    written[i] = seconds;
    let position = (starts[i + 1] as number) - (closings[i] as number);
    const lastDigit = (bytes[position - 3] as number) - passed;
    if (passed > 0 && lastDigit >= ZERO) {
      bytes[position - 3] = lastDigit;
      continue;
    }
    const first = position - SLOT_WIDTH;
    bytes[--position] = QUOTE;
    bytes[--position] = SECONDS;
    do {
      const rest = (seconds / 10) | 0;
      bytes[--position] = ZERO + seconds - rest * 10;
      seconds = rest;
    } while (seconds > 0);
    bytes[--position] = QUOTE;
    while (position > first && bytes[position - 1] !== BLANK) bytes[--position] = BLANK;
  }
}
