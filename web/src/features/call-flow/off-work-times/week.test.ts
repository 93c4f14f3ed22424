import { expect, test, vi } from 'vitest';

vi.mock('../../../api/api.ts', () => ({ api: {} }));
const { addDays, clockOf, weekOf } = await import('./week.ts');

test('a week begins on Monday, and an invalid date falls back to the other one', () => {
  expect(weekOf('2026-05-06', '')).toEqual([
    '2026-05-04',
    '2026-05-05',
    '2026-05-06',
    '2026-05-07',
    '2026-05-08',
    '2026-05-09',
    '2026-05-10',
  ]);
  expect(weekOf('2026-05-10', '')[0]).toBe('2026-05-04');
  expect(weekOf('<img>', '2027-01-01')[0]).toBe('2026-12-28');
  expect(addDays('2026-12-28', 7)).toBe('2027-01-04');
});

test('minutes are shown as clock times', () => {
  expect([0, 545, 1440].map(clockOf)).toEqual(['00:00', '09:05', '24:00']);
});
