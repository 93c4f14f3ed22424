import { expect, test } from 'vitest';
import { type DesiredIncomingRoute, PLAIN_CALL_FLOW } from '../desired-call-flow.ts';
import { fittingRoutes } from './incoming-fit.ts';

const route = (
  id: number,
  number: string,
  fields: Partial<DesiredIncomingRoute> = {},
): DesiredIncomingRoute => ({
  id,
  name: '',
  number,
  match: 'exact',
  providerId: '',
  callers: [],
  priority: id,
  target: '201',
  timeoutSeconds: 0,
  soundId: '',
  ...fields,
});
const fits = (routes: readonly DesiredIncomingRoute[], number: string, caller = '0151', providerId = 'P') =>
  fittingRoutes(
    { incomingRoutes: routes, numbering: { ...PLAIN_CALL_FLOW.numbering, countryCode: '49' } },
    { number, caller, providerId },
  ).routes.map(({ id }) => id);

test('contract 22.5: the closest number decides, and its routes are tried by priority', () => {
  const routes = [
    route(2, ''),
    route(3, '_49X.'),
    route(4, '_4930XXX'),
    route(5, '0111', { match: 'ends' }),
    route(6, '30111', { match: 'ends' }),
    route(7, '4930111', { priority: 9 }),
    route(8, '+4930111', { priority: 8 }),
  ];
  expect(fits(routes, '030111')).toEqual([8, 7]);
  expect(fits(routes, '4944430111')).toEqual([6]);
  expect(fits(routes, '49440111')).toEqual([5]);
  expect(fits(routes, '4930222')).toEqual([4]);
  expect(fits(routes, '49222')).toEqual([3]);
  expect(fits(routes, '1')).toEqual([2]);
  expect(fits(routes, '')).toEqual([2]);
});

test('contract 22.5: of two equally close patterns, the one whose route has the best priority is the closest', () => {
  const routes = [
    route(2, '_493X111', { priority: 5 }),
    route(3, '_49X0111', { priority: 4 }),
    route(4, '_493X111', { priority: 9 }),
  ];
  expect(fits(routes, '4930111')).toEqual([3]);
});

test('contract 22.5: routes for the caller come before all others, by priority', () => {
  const routes = [
    route(2, '4930111'),
    route(3, '', { callers: ['+49151*'], priority: 9 }),
    route(4, '4930111', { callers: ['0151', 'anonymous'], priority: 10 }),
    route(5, '4930222', { callers: ['0151'] }),
  ];
  expect(fits(routes, '4930111')).toEqual([3, 4, 2]);
  expect(fits(routes, '4930111', '')).toEqual([4, 2]);
  expect(fits(routes, '4930111', '0160')).toEqual([2]);
});

test('contract 22.4: a route of another provider does not fit', () => {
  const routes = [route(2, '4930111', { providerId: 'Q' }), route(3, '', { providerId: 'P' })];
  expect(fits(routes, '4930111')).toEqual([3]);
  expect(fits(routes, '4930111', '', 'Q')).toEqual([2]);
  expect(fits(routes, '4930111', '', 'R')).toEqual([]);
});
