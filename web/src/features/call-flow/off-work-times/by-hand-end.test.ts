import { expect, test, vi } from 'vitest';

vi.mock('../../../api/api.ts', () => ({ api: {} }));
const { endOf } = await import('./by-hand-end.ts');

test('an hour lasts one hour, even across midnight or a change of the clock', () => {
  const at = (text: string) => endOf('hour', 'Europe/Berlin', Date.parse(text));
  expect(at('2026-05-04T12:00:00+02:00')).toBe('2026-05-04T11:00:00Z');
  expect(at('2026-05-04T23:30:00+02:00')).toBe('2026-05-04T22:30:00Z');
  expect(at('2026-10-25T02:30:00+02:00')).toBe('2026-10-25T01:30:00Z');
});

test('a day ends at midnight of the exchange', () => {
  const at = (text: string) => endOf('day', 'Europe/Berlin', Date.parse(text));
  expect(at('2026-05-04T23:30:00+02:00')).toBe('2026-05-05T00:00:00');
  expect(at('2026-05-04T22:30:00Z')).toBe('2026-05-06T00:00:00');
  expect(endOf('never', 'Europe/Berlin', 0)).toBe('');
});
