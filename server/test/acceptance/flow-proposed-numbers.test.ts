import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

describe.each(availablePairs)('contract 20.6: proposed numbers, on $name', ({ open }) => {
  const { asAdmin } = useApp(open, { PBXCORE_EXTENSION_LENGTH: '2' });
  const post = async (path: string, body?: object) => {
    const answer = await asAdmin('POST', path, body);
    expect(answer.status, answer.text).toBe(201);
    return answer.body.data;
  };
  const proposed = async (path: string) => (await asAdmin('GET', path)).body.data.extension;
  const fields = { timeout_extension: 'hangup', redirect_to_extension_if_empty: 'busy' };

  test('queues and menus get the first free number from 6 and zeros on, then the lowest, then a longer one', async () => {
    expect([await proposed('/call-queues:getDefault'), await proposed('/ivr-menu:getDefault')]).toEqual([
      '60',
      '60',
    ]);
    const queue = await post('/call-queues', { name: 'Support', extension: '60', ...fields });
    const menu = await post('/ivr-menu', { name: 'Main', extension: '61' });
    expect(await proposed('/ivr-menu:getDefault')).toBe('62');

    const give = async (from: number, to: number): Promise<void> => {
      const employees = Array.from({ length: to - from + 1 }, (_, at) => ({
        number: String(from + at),
        user_username: 'Ann',
        sip_secret: 'long enough',
      }));
      const { status, text } = await asAdmin('POST', '/employees:batchCreate', { employees, mode: 'upsert' });
      expect(status, text).toBe(200);
    };
    await give(62, 99);
    expect((await post(`/ivr-menu/${menu.id}:copy`)).extension).toBe('10');
    await give(11, 59);
    expect((await post(`/call-queues/${queue.id}:copy`)).extension).toBe('100');
    expect((await post(`/ivr-menu/${menu.id}:copy`)).extension).toBe('101');
  });

  test('copies that are stored at once each have a number of their own', async () => {
    const { id } = await post('/call-queues', { name: 'Sales', extension: '90000', ...fields });
    const copies = await Promise.all(Array.from({ length: 4 }, () => post(`/call-queues/${id}:copy`)));
    expect(new Set(copies.map(({ extension }) => extension)).size).toBe(4);
    for (const { extension } of copies) expect(extension).toMatch(/^\d{2,8}$/);
  });
});
