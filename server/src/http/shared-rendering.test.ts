import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createSharedRendering } from './shared-rendering.ts';

const data = { numbers: Array.from({ length: 500 }, (_, i) => i) };
const envelope = (timestamp: string, of: object = data) => ({ result: true, data: of, meta: { timestamp } });
const textOf = ({ parts }: { parts: (Buffer | string)[] }) =>
  Buffer.concat(parts.map((p) => Buffer.from(p))).toString();
const unpacked = ({ parts }: { parts: (Buffer | string)[] }) =>
  gunzipSync(Buffer.concat(parts.map((p) => Buffer.from(p)))).toString();

test('the same data is rendered once for all who ask in the same second', async () => {
  const render = createSharedRendering();
  const [one, other] = await Promise.all([
    render(envelope('10:00:00'), data, undefined),
    render(envelope('10:00:00'), data, undefined),
  ]);
  expect(other.parts[0]).toBe(one.parts[0]);
  expect(JSON.parse(textOf(one))).toEqual(envelope('10:00:00'));
});

test('in another second only the envelope around the data is rendered again, compressed or not', async () => {
  const render = createSharedRendering();
  for (const encoding of ['gzip', undefined]) {
    const before = await render(envelope('10:00:00'), data, encoding);
    const later = await render(envelope('10:00:01'), data, encoding);
    const big = ({ parts }: typeof later) => parts.find((part) => part.length > 200);
    expect(big(later)).toBeInstanceOf(Buffer);
    expect(big(later)).toBe(big(before));
    const text = encoding ? unpacked(later) : textOf(later);
    expect(JSON.parse(text)).toEqual(envelope('10:00:01'));
  }
});

test('a text that looks like the place of the data is left alone, and small data is not compressed', async () => {
  const render = createSharedRendering();
  const hostile = { ...envelope('10:00:00'), messages: '"data":null' };
  expect(JSON.parse(textOf(await render(hostile, data, undefined)))).toEqual(hostile);
  const small = { name: 'Zoë "data":null' };
  const answer = await render(envelope('10:00:00', small), small, 'gzip');
  expect(answer.headers).toEqual({});
  expect(JSON.parse(textOf(answer))).toEqual(envelope('10:00:00', small));
});

test('another second, another message or other data causes a new rendering', async () => {
  const render = createSharedRendering();
  await render(envelope('10:00:00'), data, undefined);
  const later = await render(envelope('10:00:01'), data, undefined);
  expect(JSON.parse(textOf(later)).meta.timestamp).toBe('10:00:01');
  const warned = await render({ ...envelope('10:00:01'), warning: 'lost' }, data, undefined);
  expect(JSON.parse(textOf(warned)).warning).toBe('lost');
  const changed = { numbers: [7] };
  const other = await render(envelope('10:00:01', changed), changed, undefined);
  expect(JSON.parse(textOf(other)).data).toEqual(changed);
});

test('each caller gets the encoding it asked for', async () => {
  const render = createSharedRendering();
  const packed = await render(envelope('10:00:00'), data, 'gzip, br');
  const plain = await render(envelope('10:00:00'), data, 'gzip;q=0');
  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(unpacked(packed)).toBe(textOf(plain));
});
