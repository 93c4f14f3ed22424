import { expect, test } from 'vitest';
import { BrokenFrame, createFrameReader, type Frame, frameOf, wholeMessage } from '../line/frames.ts';
import { MAX_ASKED_LENGTH } from '../line/message-sizes.ts';
import { valuesIn } from './module-line.ts';
import { readMessage } from './worker-messages.ts';

function readAll(bytes: Buffer, size: number): Frame[] {
  const frames: Frame[] = [];
  const read = createFrameReader((frame) => frames.push(frame), undefined, valuesIn);
  for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
  return frames;
}

test('messages arrive whole and in order, however they are split', () => {
  const messages = [
    { t: 'a', json: '{"ä":1}' },
    { t: 'b', call: { body: 'x'.repeat(5000), headers: { long: 'ü'.repeat(2000) } }, empty: '' },
    { t: 'c' },
    // A caller may send what looks like a placeholder for a text.
    { t: 'd', call: { body: 'x'.repeat(5000), query: { filter: { $: 0, of: [{ $: 0 }] } } } },
    { t: 'e', event: { $: 'x', more: { $: 0 } } },
  ];
  const bytes = Buffer.concat(messages.map(frameOf));
  for (const size of [1, 3, 7, 64, 4096, bytes.length])
    expect(readAll(bytes, size).map(wholeMessage)).toEqual(messages);
});

test('a frame that is too large, cut off or not JSON is refused', () => {
  const head = (size: number, rest: string) => {
    const bytes = Buffer.alloc(8);
    bytes.writeUInt32LE(4 + rest.length);
    bytes.writeUInt32LE(size, 4);
    return Buffer.concat([bytes, Buffer.from(rest)]);
  };
  const huge = Buffer.alloc(4, 0xff);
  for (const bytes of [huge, head(100, '{}'), head(2, '{x'), head(0, ''), head(2, '{}1'), Buffer.alloc(4)])
    expect(() => readAll(bytes, 1000)).toThrow(BrokenFrame);
});

test.each([
  ['many values', `{"t":"pong","x":[${'{},'.repeat(500)}0]}`],
  ['many names', `{"t":"pong",${Array.from({ length: 500 }, (_, i) => `"k${i}":0`)}}`],
  ['deep nesting', `{"t":"pong","x":${'['.repeat(10)}${']'.repeat(10)}}`],
])('a message of a module with %s is refused', (_, head) => {
  const bytes = frameOf({});
  const frame = Buffer.concat([bytes.subarray(0, 8), Buffer.from(head)]);
  frame.writeUInt32LE(frame.length - 4);
  frame.writeUInt32LE(head.length, 4);
  expect(() => readAll(frame, frame.length)).toThrow(BrokenFrame);
});

test('the largest message that a module has reason to send is accepted', () => {
  const lines = Array(50).fill('[{"a":1,"b":2}]');
  const headers = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`x-${i}`, '{},{}']));
  const message = {
    t: 'done',
    n: 1,
    json: '[]',
    info: lines,
    warning: lines,
    special: { text: '', headers },
  };
  const bytes = frameOf(message);
  expect(readAll(bytes, bytes.length).map(wholeMessage)).toEqual([message]);
});

const LONG = 'x'.repeat(1025);

test('the exchange may send larger messages than a module', () => {
  const bytes = frameOf({ t: 'reply', n: 1, json: '漢'.repeat(6 * 1024 * 1024) });
  expect(() => readAll(bytes, bytes.length)).toThrow(BrokenFrame);
  let texts: readonly string[] = [];
  createFrameReader((frame) => (texts = frame.texts), Number.POSITIVE_INFINITY)(bytes);
  expect(texts[0]).toHaveLength(6 * 1024 * 1024);
  const many = frameOf({ t: 'call', headers: Object.fromEntries([...Array(40)].map((_, i) => [i, LONG])) });
  expect(() => readAll(many, many.length)).toThrow(BrokenFrame);
  createFrameReader((frame) => (texts = frame.texts), Number.POSITIVE_INFINITY)(many);
  expect(texts).toHaveLength(40);
});

const read = (message: unknown, texts: string[] = []) => readMessage({ message, texts });

test.each([
  ['nothing', null],
  ['a list', []],
  ['an unknown one', { t: 'quit' }],
  ['an answer without a number', { t: 'done', json: '{}', info: [], warning: [] }],
  ['a number that is none', { t: 'done', n: 1.5, json: '{}', info: [], warning: [] }],
  ['texts that are none', { t: 'done', n: 1, json: '{}', info: [{}], warning: [] }],
  ['too many texts', { t: 'refused', n: 1, status: 422, reasons: Array(51).fill('x') }],
  ['a text beside that is not there', { t: 'done', n: 1, json: { $: 3 }, info: [], warning: [] }],
  ['a text beside from the prototype', { t: 'done', n: 1, json: { $: 'length' }, info: [], warning: [] }],
  ['a header that is none', { t: 'done', n: 1, info: [], warning: [], special: { headers: { a: {} } } }],
  ['a level that is none', { t: 'log', level: 'fatal', text: 'x', json: '' }],
  [
    'a question that is too long',
    { t: 'ask', n: 1, what: 'store.set', json: 'x'.repeat(MAX_ASKED_LENGTH + 1) },
  ],
  ['a long name', { t: 'listen', type: 'x'.repeat(101) }],
])('a message of a module is refused: %s', (_, message) => {
  expect(() => read(message)).toThrow(BrokenFrame);
});

test('only the checked parts of a message are taken', () => {
  const message = JSON.parse(
    '{"t":"done","n":1,"json":{"$":0},"info":[],"warning":[],"__proto__":{"a":1},"status":500,"special":{"text":"x","__proto__":{"file":"/etc"},"constructor":"y"}}',
  );
  const done = read(message, ['[1]']);
  expect(done).toEqual({ t: 'done', n: 1, json: '[1]', info: [], warning: [], special: { text: 'x' } });
  expect(Object.getPrototypeOf(done)).toBe(Object.prototype);
});
