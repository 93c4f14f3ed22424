import { expect, test } from 'vitest';
import { type BannedIps, withBans } from './live-bans.ts';

const event = (
  value: string,
  category: 'sip' | 'http',
  change: 'added' | 'lifted' | 'expired',
  expiresAt = 900,
) => ({
  value,
  category,
  origin: 'pbx-fail2ban' as const,
  scenario: `pbx/${category}` as const,
  change,
  expiresAt,
});
const brief = (banned: BannedIps) =>
  Object.entries(banned).flatMap(([value, { bans }]) =>
    bans.map(
      ({ category, timeunban, permanent }) => `${value} ${category} ${permanent ? 'no end' : timeunban}`,
    ),
  );

test('events about bans add up to the list that the service would return', () => {
  const first = withBans({}, [event('192.0.2.1', 'sip', 'added'), event('192.0.2.2', 'http', 'added', 0)]);
  expect(brief(first)).toEqual(['192.0.2.1 sip 900', '192.0.2.2 http no end']);
  const second = withBans(first, [
    event('192.0.2.1', 'http', 'added', 700),
    event('192.0.2.1', 'sip', 'added', 1000),
    event('192.0.2.2', 'http', 'lifted'),
    event('192.0.2.3', 'sip', 'expired'),
  ]);
  expect(brief(second)).toEqual(['192.0.2.1 http 700', '192.0.2.1 sip 1000']);
  // Data shown before must not be mutated.
  expect(brief(first)).toEqual(['192.0.2.1 sip 900', '192.0.2.2 http no end']);
  expect(
    withBans(second, [event('192.0.2.1', 'http', 'expired'), event('192.0.2.1', 'sip', 'lifted')]),
  ).toEqual({});
});
