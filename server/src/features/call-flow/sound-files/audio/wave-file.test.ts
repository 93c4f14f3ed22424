import { expect, test } from 'vitest';
import { readWaveFile, SoundRefused, UNKNOWN_SOUND } from './wave-file.ts';
import { chunk, sourceOf, waveOf } from './waves.suite.ts';

const read = (bytes: Uint8Array) => readWaveFile(sourceOf(bytes));
const second = (bytes: number) => new Uint8Array(8000 * bytes);

function refusal(bytes: Uint8Array): [kind: string, reason: string] {
  try {
    read(bytes);
  } catch (error) {
    if (error instanceof SoundRefused) return [error.kind, error.message];
    throw error;
  }
  throw new Error('it was taken');
}

const guid = (number: number, rest = '000000001000800000aa00389b71') => {
  const extension = Buffer.alloc(8);
  extension.writeUInt16LE(22, 0);
  return Buffer.concat([extension, Buffer.from([number, 0]), Buffer.from(rest, 'hex')]);
};

test.each([
  ['u8', { bits: 8 }],
  ['s16', { bits: 16 }],
  ['s24', { bits: 24 }],
  ['s32', { bits: 32 }],
  ['f32', { bits: 32, format: 3 }],
  ['alaw', { bits: 8, format: 6 }],
  ['ulaw', { bits: 8, format: 7 }],
  ['s24', { bits: 24, format: 0xfffe, extension: guid(1) }],
  ['f32', { bits: 32, format: 0xfffe, extension: guid(3) }],
] as const)('contract 24.2: %s with one or two channels is read', (kind, parts) => {
  for (const channels of [1, 2] as const) {
    const frameBytes = (channels * parts.bits) / 8;
    for (const rate of [8000, 44_100, 192_000]) {
      const file = read(waveOf({ ...parts, channels, rate, data: new Uint8Array(rate * frameBytes) }));
      expect(file).toMatchObject({ kind, channels, rate, frameBytes, frames: rate });
    }
  }
});

test('other chunks are skipped, including the pad byte after odd sizes, and so is anything after the end', () => {
  const before = Buffer.concat([chunk('LIST', Buffer.from('odd')), chunk('JUNK', Buffer.alloc(28))]);
  const wave = Buffer.concat([waveOf({ data: second(2), before }), Buffer.from('something else')]);
  expect(read(wave)).toMatchObject({ frames: 8000, start: wave.length - 14 - 16_000 });
});

test('contract 24.3: anything but a WAVE file of a supported kind is unknown', () => {
  const others = [
    Buffer.from('ID3\x04 an MP3'),
    Buffer.from('OggS and more of it'),
    Buffer.from('RIFX\0\0\0\0WAVE', 'latin1'),
    Buffer.from('RF64\xff\xff\xff\xffWAVE', 'latin1'),
    Buffer.from('RIFF\x04\0\0\0AVI ', 'latin1'),
    waveOf({ format: 0x55, data: second(2) }),
    waveOf({ format: 3, bits: 64, data: second(8) }),
    waveOf({ bits: 12, data: second(2), frameBytes: 2 }),
    waveOf({ channels: 6, data: second(12) }),
    waveOf({ rate: 7999, data: second(2) }),
    waveOf({ rate: 192_001, data: second(2) }),
    waveOf({ format: 0xfffe, extension: guid(1, 'ff'.repeat(14)), data: second(2) }),
  ];
  for (const bytes of others) expect(refusal(bytes)).toEqual(['unknown', UNKNOWN_SOUND]);
});

test.each<[string, Uint8Array]>([
  ['is empty', new Uint8Array()],
  ['is incomplete', Buffer.from('RIFF')],
  ['promises more than there is', waveOf({ data: second(2) }).subarray(0, 9000)],
  [
    'promises more than there is',
    chunk('RIFF', waveOf({ data: second(2) }).subarray(8), 10 * 2 ** 30 - 2 ** 33 - 8),
  ],
  [
    'promises more than there is',
    chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), chunk('data', second(2), 0xffffffff)])),
  ],
  [
    'has samples before their format',
    chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), chunk('data', second(2))])),
  ],
  ['holds no samples', waveOf({ data: new Uint8Array() })],
  ['holds no samples', chunk('RIFF', Buffer.from('WAVE'))],
  ['holds no samples', chunk('RIFF', new Uint8Array(Buffer.from('WAVE')), 0)],
  [
    'does not say what its samples are',
    chunk('RIFF', Buffer.concat([Buffer.from('WAVE'), chunk('fmt ', Buffer.alloc(14))])),
  ],
  ['does not say what its samples are', waveOf({ format: 0xfffe, data: second(2) })],
  ['does not give its channels or its rate', waveOf({ rate: 0, data: second(2) })],
  ['does not give its channels or its rate', waveOf({ channels: 0, data: second(2), frameBytes: 2 })],
  ['gives contradictory sample sizes', waveOf({ frameBytes: 4, data: second(2) })],
  ['ends within a sample', waveOf({ channels: 2, data: new Uint8Array(16_002) })],
  ['must last 0.1..1800 s (got 0.1)', waveOf({ data: new Uint8Array(1598) })],
  ['must last 0.1..1800 s (got 1800)', waveOf({ bits: 8, data: new Uint8Array(1800 * 8000 + 1) })],
  [
    'has more than 1000 chunks',
    waveOf({ data: second(2), before: Buffer.alloc(8008, chunk('JUNK', new Uint8Array())) }),
  ],
])('contract 24.3: a file that %s is broken', (reason, bytes) => {
  expect(refusal(bytes)).toEqual(['broken', reason]);
});
