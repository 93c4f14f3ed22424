import { describe, expect, test } from 'vitest';
import { availablePairs, useApp } from './use-app.ts';

// Clocks in Berlin change at 2026-03-29 01:00Z and at 2026-10-25 01:00Z.
describe.each(availablePairs)('contract 26.7: times around a change of the clocks on $name', ({ open }) => {
  const { asAdmin } = useApp(open, { PBXCORE_TIMEZONE: 'Europe/Berlin' });

  async function done(method: string, path: string, body?: unknown) {
    const answer = await asAdmin(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data;
  }
  const rule = async (fields: object): Promise<string> =>
    (await done('POST', '/off-work-times', { extension: '201', ...fields })).id;
  const stateAt = async (at: string): Promise<string> =>
    (await done('GET', `/off-work-times:getState?at=${encodeURIComponent(at)}`)).state;

  test.each([
    ['2026-03-28T18:00:00', '2026-03-28 18:00:00'],
    ['2026-03-29T17:00:00', '2026-03-29 17:00:00'],
    ['2026-10-25T12:00:00Z', '2026-10-25 13:00:00'],
    ['2026-10-25T13:00:00+02:00', '2026-10-25 12:00:00'],
    ['2026-10-25T13:00:00', '2026-10-25 13:00:00'],
  ])('contract 28: a call is explained for the requested time, %s', async (at, shown) => {
    const told = await done('GET', `/incoming-routes:explain?number=201&at=${encodeURIComponent(at)}`);
    expect(told.at).toBe(shown);
  });

  test('the line closes and opens when the local clock shows the times of the rule', async () => {
    const id = await rule({ weekday_from: 6, weekday_to: 7, time_from: '18:00', time_to: '20:00' });
    for (const day of ['2026-03-28', '2026-03-29', '2026-10-24', '2026-10-25']) {
      const states = ['17:59:59', '18:00:00', '19:59:59', '20:00:00'].map((time) =>
        stateAt(`${day}T${time}`),
      );
      expect([day, ...(await Promise.all(states))]).toEqual([day, 'open', 'closed', 'closed', 'open']);
    }
    expect(
      await Promise.all(['16:59:59Z', '17:00:00Z'].map((time) => stateAt(`2026-10-25T${time}`))),
    ).toEqual(['open', 'closed']);
    await done('DELETE', `/off-work-times/${id}`);
  });

  test('an override shows the requested end in local time', async () => {
    const id = await rule({ weekday_from: 7, weekday_to: 7, time_from: '', time_to: '' });
    for (const [until, shown] of [
      ['2026-10-25T12:00:00Z', '2026-10-25 13:00:00'],
      ['2026-10-25T18:00:00', '2026-10-25 18:00:00'],
      ['2027-03-28T07:00:00', '2027-03-28 07:00:00'],
    ]) {
      const told = await done('POST', '/off-work-times:override', { mode: 'closed', until });
      expect(told.override.until).toBe(shown);
    }
    await done('POST', '/off-work-times:override', { mode: 'auto' });
    await done('DELETE', `/off-work-times/${id}`);
  });
});
