import { expect, test } from 'vitest';
import { type Endpoint, openEndpoints, openedBeyond } from './open-routes.ts';

const route = (path: string, ...channels: Endpoint['channels']): Endpoint => ({
  verb: 'GET',
  path,
  channels,
});

test('published routes that answer without a key are open, each to its widest channel', () => {
  const all = [
    route('/a', 'bearer_token'),
    route('/b', 'bearer_token', 'localhost'),
    route('/c', 'localhost', 'public'),
  ];
  expect(openEndpoints(all)).toEqual([route('/c', 'public'), route('/b', 'localhost')]);
});

test.each([
  { now: [], says: '' },
  { now: [route('/a', 'public')], says: '' },
  { now: [route('/a', 'localhost')], says: '' },
  { now: [route('/b', 'localhost', 'bearer_token'), route('/k', 'bearer_token')], says: '' },
  { now: [route('/b', 'public')], says: 'also answers everybody, without a key, at GET /b' },
  {
    now: [route('/x', 'localhost'), route('/y', 'public')],
    says: 'also answers everybody, without a key, at GET /y and programs on this machine, without a key, at GET /x',
  },
  {
    now: [{ ...route('/a', 'public'), verb: 'POST' }],
    says: 'also answers everybody, without a key, at POST /a',
  },
  {
    now: Array.from({ length: 7 }, (_, i) => route(`/${i}`, 'public')),
    says: 'also answers everybody, without a key, at GET /0, GET /1, GET /2, GET /3, GET /4, 2 more',
  },
])('compared with what was accepted, $now says: "$says"', ({ now, says }) => {
  expect(openedBeyond(now, [route('/a', 'public'), route('/b', 'localhost')])).toBe(says);
});
