import { beforeEach, expect, test } from 'vitest';
import { createFailedLogins } from './failed-logins.ts';

let now: number;
let logins: ReturnType<typeof createFailedLogins>;
beforeEach(() => {
  now = 1_000_000;
  logins = createFailedLogins({ clock: { now: () => now } });
});
const placesOf = (account: string) => (logins.read().get(account) ?? []).map(({ address }) => address);

test('only the first failure from an address is new, and its time is kept', () => {
  expect(logins.failed('201', '192.0.2.1')).toBe(true);
  const given = logins.read();
  now += 60_000;
  expect(logins.failed('201', '192.0.2.1')).toBe(false);
  expect(logins.read()).toBe(given);
  expect(given.get('201')).toEqual([{ address: '192.0.2.1', since: 1_000_000 }]);
});

test('a success clears the failure of the account from the same address', () => {
  logins.failed('201', '192.0.2.1');
  logins.failed('202', '192.0.2.1');
  expect(logins.succeeded('201', '192.0.2.2')).toBe(false);
  expect(logins.succeeded('201', '192.0.2.1')).toBe(true);
  expect([placesOf('201'), placesOf('202')]).toEqual([[], ['192.0.2.1']]);
});

test('a right secret without TLS after a failure is new', () => {
  logins.failed('201', '192.0.2.1');
  expect(logins.failed('201', '192.0.2.1', true)).toBe(true);
  expect(logins.failed('201', '192.0.2.1', true)).toBe(false);
  expect(logins.read().get('201')).toEqual([{ address: '192.0.2.1', since: 1_000_000, isWithoutTls: true }]);
});

test('the latest five addresses of an account are kept', () => {
  for (let i = 1; i <= 9; i++) logins.failed('201', `192.0.2.${i}`);
  expect(placesOf('201')).toEqual([9, 8, 7, 6, 5].map((i) => `192.0.2.${i}`));
});

test('an address that has not tried for an hour and an account that is no longer served are forgotten', () => {
  logins.failed('201', '192.0.2.1');
  logins.failed('201', '192.0.2.2');
  logins.failed('202', '192.0.2.1');
  now += 3_000_000;
  logins.failed('201', '192.0.2.2');
  now += 600_000;
  logins.purge(() => true);
  expect([placesOf('201'), placesOf('202')]).toEqual([['192.0.2.2'], []]);
  logins.purge(() => false);
  expect(logins.read().size).toBe(0);
});
