import type { TestApp } from '../make-app.ts';

const RATE = 16_000;

/** A tone as a 16 bit WAV file. */
export function toneFile(hz = 440, seconds = 0.3, rate = RATE): Buffer {
  const count = Math.round(seconds * rate);
  const wave = Buffer.alloc(44 + 2 * count);
  wave.write('RIFF', 0, 'latin1');
  wave.writeUInt32LE(wave.length - 8, 4);
  wave.write('WAVEfmt ', 8, 'latin1');
  wave.writeUInt32LE(16, 16);
  wave.writeUInt16LE(1, 20);
  wave.writeUInt16LE(1, 22);
  wave.writeUInt32LE(rate, 24);
  wave.writeUInt32LE(2 * rate, 28);
  wave.writeUInt16LE(2, 32);
  wave.writeUInt16LE(16, 34);
  wave.write('data', 36, 'latin1');
  wave.writeUInt32LE(2 * count, 40);
  for (let i = 0; i < count; i++)
    wave.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * hz * i) / rate)), 44 + 2 * i);
  return wave;
}

export interface Sending {
  readonly fields?: Readonly<Record<string, string>>;
  readonly fileName?: string;
  /** Sends the bytes with this content type instead of a form. */
  readonly type?: string;
  readonly key?: string;
}

/** Uploads a form, or plain bytes with the fields in the query. */
export async function upload(app: TestApp, bytes: Uint8Array | undefined, sending: Sending = {}) {
  const { fields = {}, fileName = 'tone.wav', type, key } = sending;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  if (bytes) form.set('file', new File([new Uint8Array(bytes)], fileName));
  const query = type === undefined ? '' : `?${new URLSearchParams(fields)}`;
  const response = await fetch(`${app.origin}/pbxcore/api/v3/sound-files:uploadFile${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key ?? (await app.admin())}`,
      ...(type !== undefined && { 'content-type': type }),
    },
    body: type === undefined ? form : new Uint8Array(bytes ?? []),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  return { status: response.status, body: (await response.json()) as any };
}
