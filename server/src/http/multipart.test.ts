import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MalformedBody } from '../lib/errors.ts';
import { readForm } from './multipart.ts';

async function read(
  body: string | Buffer,
  boundary = 'xyz',
  size = 7,
): Promise<[string, string | undefined, string][]> {
  const bytes = Buffer.from(body as string, 'latin1');
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const parts: [string, string | undefined, string][] = [];
  for await (const event of readForm(chunks(), boundary)) {
    if (event.type === 'part') parts.push([event.name, event.fileName, '']);
    else (parts.at(-1) as [string, unknown, string])[2] += event.bytes.toString('latin1');
  }
  return parts;
}

const field = (name: string, value: string, more = '') =>
  `--xyz\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;

test('fields and files are read in order, whatever comes before and after them', async () => {
  const body = `before\r\n${field('a', '1')}${field('file', '\r\n--xy\r\n--', '; filename="b \\"c\\".wav"\r\nContent-Type: audio/wav')}--xyz--\r\nbehind`;
  for (const size of [1, 2, 3, 50, 1000])
    expect(await read(body, 'xyz', size)).toEqual([
      ['a', undefined, '1'],
      ['file', 'b "c".wav', '\r\n--xy\r\n--'],
    ]);
});

test('empty values, empty forms and names without quotes are read', async () => {
  expect(await read(`${field('a', '')}--xyz--`)).toEqual([['a', undefined, '']]);
  expect(await read('--xyz--')).toEqual([]);
  expect(await read('--xyz\r\ncontent-disposition: form-data; name=a\r\n\r\nb\r\n--xyz--')).toEqual([
    ['a', undefined, 'b'],
  ]);
});

test('a form that FormData of the platform sends is read', async () => {
  const form = new FormData();
  form.set('name', 'Grüße "x"');
  form.set('file', new File(['abc'], 'ä.wav'));
  const sent = new Response(form);
  const [, boundary = ''] = /boundary=(.*)$/.exec(sent.headers.get('content-type') ?? '') ?? [];
  const [name, file] = await read(Buffer.from(await sent.arrayBuffer()).toString('latin1'), boundary);
  expect(Buffer.from(name?.[2] ?? '', 'latin1').toString()).toBe('Grüße "x"');
  expect(file?.slice(1)).toEqual(['ä.wav', 'abc']);
});

test.each([
  ['the form is incomplete', field('a', '1')],
  ['the form is incomplete', ''],
  ['the form is incomplete', '--xyz'],
  ['the form has a part without a name', '--xyz\r\nContent-Disposition: form-data\r\n\r\n1\r\n--xyz--'],
  ['the form has a part that is not a field', '--xyz\r\nX: y\r\n\r\n1\r\n--xyz--'],
  ['the form has a part whose headers are too long', `--xyz\r\nX: ${'y'.repeat(9000)}`],
  ['the form has more than 32 parts', `${field('a', '1').repeat(33)}--xyz--`],
])('%s', async (reason, body) => {
  await expect(read(body, 'xyz', 100)).rejects.toThrow(new MalformedBody(reason));
});

test('any value is read back unchanged, however the form is split', async () => {
  const value = fc.array(fc.constantFrom('\r', '\n', '-', 'x', 'y', 'z', '\r\n--xy', '\0', 'ÿ'), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(value, value, fc.integer({ min: 1, max: 40 }), async (a, b, size) => {
      const [one, two] = [a.join(''), b.join('')];
      fc.pre(!`\r\n${one}`.includes('\r\n--xyz') && !`\r\n${two}`.includes('\r\n--xyz'));
      const body = `${field('a', one)}${field('b', two)}--xyz--\r\n`;
      expect(await read(body, 'xyz', size)).toEqual([
        ['a', undefined, one],
        ['b', undefined, two],
      ]);
    }),
    { numRuns: 300 },
  );
});
