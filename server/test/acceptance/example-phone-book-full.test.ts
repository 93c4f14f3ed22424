import { describe, expect, test } from 'vitest';
import { openEmbedded } from '../make-app.ts';
import { useExample } from './example-rig.ts';
import { availablePairs } from './use-app.ts';

const ROWS = 50_000;
const MIB = 1024 * 1024;
const csv = { 'content-type': 'text/csv' };

describe.each(availablePairs)('a phone book of the largest size allowed, on $name', ({ open }) => {
  const { call } = useExample('phone-book', 'PhoneBook', open, undefined, { callMs: 150_000 });
  const send = (body: string) => call('POST', '/contacts:import', { body, headers: csv });

  /** Exactly 10 MiB, with quotes, doubled quotes, line breaks and non-ASCII letters. */
  function largest(): string {
    const heading = 'name,number,company,note\n';
    const rows: string[] = [];
    for (let i = 0; i < ROWS; i++)
      rows.push(
        `"Ян ""${i}""",+4930${1_000_000 + i},Acme ${i % 100},"${'x'.repeat(140)}\n${'y'.repeat(20)}"`,
      );
    const text = heading + rows.join('\n');
    return text + '\n'.repeat(10 * MIB - Buffer.byteLength(text));
  }

  test('50 000 rows in 10 MiB can be imported, and imported again', async () => {
    const file = largest();
    expect(Buffer.byteLength(file)).toBe(10 * MIB);
    const began = performance.now();
    const first = await send(file);
    console.info(`${ROWS} rows were taken in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    expect(first.status, first.text.slice(0, 300)).toBe(200);
    expect(first.body.data).toEqual({ created: ROWS, updated: 0, errors: [] });
    const again = await send(file);
    expect(again.body.data).toEqual({ created: 0, updated: ROWS, errors: [] });
    const found = await call('GET', '/contacts:lookup?number=0301049999');
    expect(found.body.data).toMatchObject({ name: 'Ян "49999"' });
  }, 180_000);

  test('an export too large for one answer is refused with the number that fits, and works in parts', async () => {
    const refused = await call('GET', '/contacts:export');
    expect(refused.status).toBe(422);
    const fits = Number(/ask for (\d+) at a time/.exec(refused.body.messages.error[0])?.[1]);
    expect(fits).toBeGreaterThan(10_000);
    let rows = 0;
    for (let from = 1; from <= ROWS; from += 15_000) {
      const part = await call('GET', `/contacts:export?count=15000&from=${from}`);
      expect(part.status, part.text.slice(0, 300)).toBe(200);
      rows += part.text.split('\r\n').length - 2;
    }
    expect(rows).toBe(ROWS);
  }, 180_000);
});

describe('a phone book that is sent more than it accepts', () => {
  const { held, call } = useExample('phone-book', 'PhoneBook', openEmbedded, undefined, { callMs: 150_000 });
  /** The module's log, for finding out why an import stopped. */
  const logged = async () => (await held.asAdmin('GET', '/modules/PhoneBook:getLog')).text;
  const send = (body: string) => call('POST', '/contacts:import', { body, headers: csv });

  test.each([
    ['more rows', `name,number\n${'a,1\n'.repeat(50_001)}`],
    ['the most rows that fit', `name,number\n${'a,1\n'.repeat(2_600_000)}`],
    ['no columns', 'a,1\n'.repeat(2_600_000)],
    ['separators alone', ','.repeat(10 * MIB)],
    ['one open quote', `"${'x'.repeat(10 * MIB - 1)}`],
  ])(
    '%s are refused with the reason, and the module still works',
    async (_, file) => {
      const { status, body } = await send(file);
      expect(status, await logged()).toBe(422);
      expect(body.messages.error[0]).toMatch(/^csv: /);
      expect((await call('GET', '/contacts?limit=1')).status).toBe(200);
    },
    120_000,
  );

  test('a file with nothing but errors is answered with the first thousand and their number', async () => {
    const { status, body } = await send(`name,number\n${'a,none\n'.repeat(ROWS)}`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ created: 0, updated: 0, errorCount: ROWS });
    expect(body.data.errors).toHaveLength(1000);
  }, 120_000);

  test('more than 10 MiB is 413, and the module stays enabled', async () => {
    expect((await send('x'.repeat(10 * MIB + 1))).status).toBe(413);
    expect((await held.asAdmin('GET', '/modules/PhoneBook')).body.data).toMatchObject({ disabled: false });
  });
});
