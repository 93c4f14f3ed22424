export const WAVE_HEADER_BYTES = 44;

/** The header of a 16-bit mono WAVE file. */
export function waveHeader(rate: number, samples: number): Buffer {
  const head = Buffer.alloc(WAVE_HEADER_BYTES);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(WAVE_HEADER_BYTES - 8 + 2 * samples, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(2 * rate, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(2 * samples, 40);
  return head;
}
