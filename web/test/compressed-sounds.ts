/** Generates compressed sound files, so that the repository contains none from third parties. */

/** Concatenates bit fields and pads them with zeros to this many bytes. */
function packed(fields: readonly (readonly [value: number, bits: number])[], bytes: number): Buffer {
  const text = fields.map(([value, bits]) => value.toString(2).padStart(bits, '0')).join('');
  const whole = text.padEnd(bytes * 8, '0');
  return Buffer.from(whole.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}

const MP3_RATE = 32_000;
/** Loud, but without clipping. */
const GAIN = 200;
const MP3_FRAME_SAMPLES = 1152;
/** 64 kbit/s. */
const MP3_FRAME_BYTES = (MP3_FRAME_SAMPLES / 8) * (64_000 / MP3_RATE);
/** The only one of 576 frequency lines that is not zero, in the middle of the lowest band. */
const LINE = 8;
export const MP3_TONE_HZ = ((LINE + 0.5) * MP3_RATE) / MP3_FRAME_SAMPLES;

/** MPEG-1 layer III, mono: one frequency line is not zero. */
export function mp3Tone(seconds: number): Buffer {
  // From one granule of a frame to the next, a tone on this line advances by a quarter of its period.
  const frames = [mp3Frame(0, 1), mp3Frame(1, 0)];
  const count = Math.ceil((seconds * MP3_RATE) / MP3_FRAME_SAMPLES);
  return Buffer.concat(Array.from({ length: count }, (_, at) => frames[at % 2] as Buffer));
}

/** Two granules, each with the sign of its line. */
function mp3Frame(...signs: readonly [0 | 1, 0 | 1]): Buffer {
  const zeros = LINE / 2;
  const half = [
    // Bits used by the lines, number of line pairs, gain.
    [zeros + 3, 12],
    [zeros + 1, 9],
    [GAIN, 8],
    // No scale factors, one long window, Huffman table 1 in all three regions.
    [0, 4 + 1],
    [1, 5],
    [1, 5],
    [1, 5],
    [0, 4 + 3 + 1 + 1 + 1],
  ] as const;
  const lines = signs.map((sign) => [
    // In table 1, `1` encodes two zero lines; `01` encodes a 1 followed by a 0, and the sign bit follows.
    ...Array.from({ length: zeros }, () => [1, 1] as const),
    [0b010 + sign, 3] as const,
  ]);
  // Synchronisation, MPEG-1, layer III, without checksum; 64 kbit/s, 32 kHz; mono.
  const head = [[0xfffb58c0, 32] as const, [0, 9 + 5 + 4] as const];
  return packed([...head, ...half, ...half, ...lines.flat()], MP3_FRAME_BYTES);
}

const OPUS_RATE = 48_000;
const PRE_SKIP = 312;
export const OPUS_TONE_HZ = 440;

/** Code for a browser: encodes a tone with the browser's own encoder and returns the packets in base64. */
export const encodeOpusTone = (seconds: number): string => `(async () => {
  const packets = [];
  const encoder = new AudioEncoder({
    error: (error) => { throw error; },
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      packets.push(btoa(String.fromCharCode(...bytes)));
    },
  });
  encoder.configure({ codec: 'opus', sampleRate: ${OPUS_RATE}, numberOfChannels: 1, bitrate: 32000 });
  const data = Float32Array.from(
    { length: ${seconds * OPUS_RATE} },
    (_, at) => 0.3 * Math.sin((at * ${OPUS_TONE_HZ} * 2 * Math.PI) / ${OPUS_RATE}),
  );
  const format = { format: 'f32', sampleRate: ${OPUS_RATE}, numberOfChannels: 1, timestamp: 0 };
  encoder.encode(new AudioData({ ...format, numberOfFrames: data.length, data }));
  await encoder.flush();
  return packets;
})()`;

/** Opus packets of 20 ms in an Ogg file. */
export function oggOf(packets: readonly Buffer[]): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead');
  head.set([1, 1], 8);
  head.writeUInt16LE(PRE_SKIP, 10);
  head.writeUInt32LE(OPUS_RATE, 12);
  const tags = Buffer.concat([Buffer.from('OpusTags'), Buffer.alloc(8)]);
  const pages = [oggPage(head, 0, { number: 0, flags: 2 }), oggPage(tags, 0, { number: 1, flags: 0 })];
  for (const [at, packet] of packets.entries()) {
    const flags = at === packets.length - 1 ? 4 : 0;
    pages.push(oggPage(packet, (at + 1) * (OPUS_RATE / 50), { number: at + 2, flags }));
  }
  return Buffer.concat(pages);
}

/** A page with a single packet. */
function oggPage(
  packet: Buffer,
  position: number,
  { number, flags }: { number: number; flags: number },
): Buffer {
  const sizes = [...Array.from({ length: Math.floor(packet.length / 255) }, () => 255), packet.length % 255];
  const head = Buffer.alloc(27 + sizes.length);
  head.write('OggS');
  head[5] = flags;
  head.writeBigInt64LE(BigInt(position), 6);
  head.writeUInt32LE(1, 14);
  head.writeUInt32LE(number, 18);
  head[26] = sizes.length;
  head.set(sizes, 27);
  const page = Buffer.concat([head, packet]);
  page.writeUInt32LE(oggChecksum(page), 22);
  return page;
}

function oggChecksum(bytes: Buffer): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  }
  return sum >>> 0;
}
