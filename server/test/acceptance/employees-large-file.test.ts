import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 3.5: a large CSV file on $name', ({ open }) => {
  const running = useApp(open);

  test('a thousand rows can be imported and exported again', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => `${10_000 + i},Person ${i}`);
    const csv = `number,user_username\n${rows.join('\n')}`;
    const { body } = await running.asAdmin('POST', '/employees:import', { csv });
    expect(body.data).toMatchObject({ total: 1000, toCreate: 1000 });
    const done = await running.asAdmin('POST', '/employees:confirmImport', {
      upload_id: body.data.upload_id,
    });
    expect(done.body.data).toMatchObject({ imported: 1000, failed: [] });
    const { text } = await running.asAdmin('POST', '/employees:export', { format: 'minimal' });
    expect(text.split('\r\n')).toHaveLength(1002);
    const numbers = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => Number(line.split(',')[0]));
    expect(new Set(numbers).size).toBe(1000);
  });

  test.each([
    ['a header of commas', ',', 'csv: line 1: at most 200 columns'],
    ['a cell without end', 'x', 'csv: line 1: at most 10000 characters in a cell'],
    ['blank lines', '\n', 'csv: at most 10000 blank lines'],
    ['rows', 'number,user_username\n', 'csv: at most 1000 rows below the header'],
  ])('ten megabytes of nothing but %s are refused, and the bound is named', async (_, text, error) => {
    const csv = text.repeat(Math.floor((10 * 1024 * 1024) / text.length));
    const headers = { 'content-type': 'text/csv' };
    const token = await running.app.admin();
    const { status, body } = await running.call('POST', '/employees:import', { token, body: csv, headers });
    expect({ status, error: body.messages.error }).toEqual({ status: 400, error: [error] });
  });

  test('a file is compressed only on request, whatever its size', async () => {
    const token = await running.app.admin();
    for (const body of [{}, { filter: { number_from: 10_900 } }, { filter: { number_from: 99_999 } }]) {
      const get = (encoding: string) =>
        running.call('POST', '/employees:export', { token, body, headers: { 'accept-encoding': encoding } });
      const [plain, packed] = [await get('identity'), await get('gzip')];
      expect(packed.text).toBe(plain.text);
      expect(plain.headers.get('content-encoding')).toBeNull();
      expect(packed.headers.get('content-encoding')).toBe(plain.text.length > 1024 ? 'gzip' : null);
    }
  });
});
