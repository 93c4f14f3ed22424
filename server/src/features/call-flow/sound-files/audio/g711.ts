/** A-law and µ-law (ITU-T G.711): converts 16 bits to 8 and back, by tables. */

const BIAS = 132;
const MOST = 32_635;

function ulawOf(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), MOST) + BIAS;
  const segment = 31 - Math.clz32(magnitude) - 7;
  const step = (magnitude >> (segment + 3)) & 15;
  return ~((sample < 0 ? 0x80 : 0) | (segment << 4) | step) & 0xff;
}

function fromUlaw(code: number): number {
  const plain = ~code & 0xff;
  const segment = (plain >> 4) & 7;
  const magnitude = ((((plain & 15) << 3) + BIAS) << segment) - BIAS;
  return plain & 0x80 ? -magnitude : magnitude;
}

/** The first two of its eight segments have steps of the same size. */
function alawOf(sample: number): number {
  const magnitude = (sample < 0 ? ~sample : sample) >> 4;
  const segment = magnitude < 16 ? 0 : 31 - Math.clz32(magnitude) - 3;
  const step = (magnitude >> Math.max(0, segment - 1)) & 15;
  return ((sample < 0 ? 0 : 0x80) | (segment << 4) | step) ^ 0x55;
}

function fromAlaw(code: number): number {
  const plain = code ^ 0x55;
  const segment = (plain >> 4) & 7;
  const step = ((plain & 15) << 4) + 8;
  const magnitude = segment === 0 ? step : (step + 256) << (segment - 1);
  return plain & 0x80 ? magnitude : -magnitude;
}

const tableOf = (code: (sample: number) => number) =>
  Uint8Array.from({ length: 65_536 }, (_, index) => code(index < 32_768 ? index : index - 65_536));

/** Indexed by the sample's 16 bits, as an unsigned number. */
export const ULAW_CODES: Uint8Array = tableOf(ulawOf);
export const ALAW_CODES: Uint8Array = tableOf(alawOf);
/** Indexed by code; samples of 16 bits. */
export const ULAW_SAMPLES: Int16Array = Int16Array.from({ length: 256 }, (_, code) => fromUlaw(code));
export const ALAW_SAMPLES: Int16Array = Int16Array.from({ length: 256 }, (_, code) => fromAlaw(code));
