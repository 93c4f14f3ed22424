import { expect, test } from 'vitest';
import type { IncomingRoute } from './incoming-route-fields.ts';
import { uniqueDids } from './unique-dids.ts';

const numbering = { countryCode: '49', nationalPrefix: '0', internationalPrefix: '00' } as const;
const all = { providerId: '', isUnmatched: true, logins: new Set<string>(), numbering } as never;
const route = (number: string, fields: object = {}) =>
  ({ providerid: 'none', match: 'exact', number, ...fields }) as IncomingRoute;
const called = (...numbers: string[]) => numbers.map((did) => ({ did, lastSeen: '', calls: 1 }));
const dids = async (numbers: readonly string[], routes: readonly IncomingRoute[], more: object = {}) =>
  (await uniqueDids(called(...numbers), { ...(all as object), routes, ...more } as never)).map(
    ({ value }) => value,
  );

test.each([
  ['030123', '+4930123', 'exact'],
  ['004930123', '030123', 'exact'],
  ['Sip.Name', 'sip.name', 'exact'],
  ['030123', '0123', 'ends'],
  ['030123', '_03012X', 'exact'],
  ['030123', '0301.', 'exact'],
])('%s is matched by the route for %s (%s), and other numbers are not', async (number, text, match) => {
  const others = ['030999', 'name'];
  expect(await dids([number, ...others], [route(text, { match })])).toEqual(others);
});

test('a route for any number matches none, and a route of another provider is ignored', async () => {
  const routes = [route(''), route('030123', { providerid: 'SIP-B' })];
  expect(await dids(['030123'], routes, { providerId: 'SIP-A' })).toEqual(['030123']);
});

test('at most 20 numbers are listed, newest first; without `unmatched` those with a route are listed too', async () => {
  const numbers = Array.from({ length: 60 }, (_, at) => `0301${at + 10}`);
  expect(await dids(numbers, [route('_03011X')])).toEqual(numbers.slice(10, 30));
  expect(await dids(numbers, [route('_03011X')], { isUnmatched: false })).toEqual(numbers.slice(0, 20));
});

test('routes are not read again for each called number, and other work continues meanwhile', async () => {
  let reads = 0;
  const counted = (text: string): IncomingRoute =>
    Object.defineProperty(route(text), 'number', {
      get() {
        reads++;
        return text;
      },
    });
  const routes = Array.from({ length: 50 }, (_, at) => counted(`_0301${at + 10}!`));
  const numbers = Array.from({ length: 2000 }, (_, at) => `030110${at}`);
  let turns = 0;
  let isOver = false;
  const others = async (): Promise<void> => {
    for (; !isOver; turns++) await new Promise((resolve) => setImmediate(resolve));
  };
  const waiting = others();
  expect(await dids(numbers, routes)).toEqual([]);
  isOver = true;
  await waiting;
  expect(reads).toBeLessThanOrEqual(2 * routes.length);
  expect(turns).toBeGreaterThan(5);
});
