import {
  type Called,
  callerKey,
  fitsPattern,
  fixedDigits,
  normalisedNumber,
  normalisedPrefix,
  readCalled,
  readRouteNumber,
} from '../../lib/route-number.ts';
import type { DesiredCallFlow, DesiredIncomingRoute, Numbering } from '../desired-call-flow.ts';

type Flow = Pick<DesiredCallFlow, 'incomingRoutes' | 'numbering'>;

/** A call from outside, as its provider presents it. */
export interface IncomingCall {
  readonly providerId: string;
  readonly number: string;
  readonly caller: string;
}

interface Fitting {
  /** Routes that the call takes, in order; route 1 comes after them (contract 22.5). */
  readonly routes: readonly DesiredIncomingRoute[];
  /** The first route with the closest number; `undefined`: there is none, or only routes for certain callers. */
  readonly closest: DesiredIncomingRoute | undefined;
  /** Routes that would fit if `closest` did not exist. */
  readonly outdone: readonly DesiredIncomingRoute[];
}

/**
 * Which routes fit a call. The dialplan decides the same from what `incoming.ts` renders; `incoming-fit.test.ts`
 * compares.
 */
export function fittingRoutes({ incomingRoutes, numbering }: Flow, call: IncomingCall): Fitting {
  const called = readCalled(call.number, numbering);
  const fitting = inOrder(incomingRoutes, numbering)
    .filter(({ fit }) => fitsNumber(fit, called))
    .filter(({ route }) => fitsProvider(route, call) && fitsCaller(route, call, numbering));
  const named = fitting.filter(({ route }) => route.callers.length > 0);
  const others = fitting.filter(({ route }) => route.callers.length === 0);
  const [closest] = others.toSorted((a, b) => byCloseness(a.fit, b.fit));
  const same = others.filter((one) => one.fit.id === closest?.fit.id);
  const routesOf = (read: readonly ReadRoute[]) => read.map(({ route }) => route);
  return {
    routes: routesOf([...named, ...same]),
    closest: same[0]?.route,
    outdone: routesOf(others.filter((one) => one.fit.id !== closest?.fit.id)),
  };
}

interface ReadRoute {
  readonly route: DesiredIncomingRoute;
  readonly fit: NumberFit;
}

const known = new WeakMap<readonly DesiredIncomingRoute[], { of: Numbering; read: readonly ReadRoute[] }>();

/** Cached, since up to a thousand routes are the same for many calls. */
function inOrder(routes: readonly DesiredIncomingRoute[], numbering: Numbering): readonly ReadRoute[] {
  const last = known.get(routes);
  if (last?.of === numbering) return last.read;
  const read = [...routes].sort(byPriority).flatMap((route) => {
    const fit = numberFit(route, numbering);
    return fit === undefined ? [] : [{ route, fit }];
  });
  known.set(routes, { of: numbering, read });
  return read;
}

export const byPriority = (a: DesiredIncomingRoute, b: DesiredIncomingRoute): number =>
  a.priority - b.priority || a.id - b.id;

export const fitsProvider = ({ providerId }: DesiredIncomingRoute, call: IncomingCall): boolean =>
  providerId === '' || providerId === call.providerId;

export function fitsCaller(
  route: DesiredIncomingRoute,
  { caller }: IncomingCall,
  numbering: Numbering,
): boolean {
  if (route.callers.length === 0) return true;
  const key = callerKey(caller, numbering);
  return callersOf(route, numbering).some((entry) =>
    entry.isPrefix ? key.startsWith(entry.key) : key === entry.key,
  );
}

const readCallers = new WeakMap<DesiredIncomingRoute, { of: Numbering; entries: readonly CallerEntry[] }>();

/** Cached, since up to two hundred callers of a route are the same for many calls. */
function callersOf(route: DesiredIncomingRoute, numbering: Numbering): readonly CallerEntry[] {
  const last = readCallers.get(route);
  if (last?.of === numbering) return last.entries;
  const entries = route.callers.map((text) => callerEntry(text, numbering));
  readCallers.set(route, { of: numbering, entries });
  return entries;
}

export interface CallerEntry {
  readonly key: string;
  readonly isPrefix: boolean;
}

/** A number, a prefix with `*`, or the word for callers without a number. */
export const callerEntry = (text: string, numbering: Numbering): CallerEntry =>
  text.endsWith('*')
    ? { key: normalisedPrefix(text.slice(0, -1), numbering), isPrefix: true }
    : { key: callerKey(text, numbering), isPrefix: false };

/** How a route's number is compared. Routes with equal ids have the same number. */
export type NumberFit = ReturnType<typeof numberFit> & {};

export function numberFit(
  { number: text, match }: Pick<DesiredIncomingRoute, 'number' | 'match'>,
  numbering: Numbering,
) {
  const number = readRouteNumber(text);
  switch (number?.kind) {
    case undefined:
      return undefined;
    case 'any':
      return { kind: 'any', id: 'any', closeness: 0 } as const;
    case 'pattern':
      return {
        kind: 'pattern',
        id: `pattern ${number.text}`,
        closeness: fixedDigits(number),
        pattern: number,
      } as const;
    case 'name':
      return exactly(number.name.toLowerCase());
    case 'digits':
      if (match === 'exact') return exactly(normalisedNumber(number.text, numbering));
      return ending(number.text.replace('+', ''));
  }
}

const ending = (digits: string) =>
  ({ kind: 'ends', id: `ends ${digits}`, closeness: digits.length, digits }) as const;

const exactly = (key: string) => ({ kind: 'exact', id: `exact ${key}`, closeness: 0, key }) as const;

/** Closer first; equally close ones stay in the order of their priorities. */
const KINDS = ['exact', 'ends', 'pattern', 'any'];
const byCloseness = (a: NumberFit | undefined, b: NumberFit | undefined): number =>
  a && b ? KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || b.closeness - a.closeness : 0;

/** Those of the routes that are for the number called, by priority. */
export function routesOfNumber(
  routes: readonly DesiredIncomingRoute[],
  { number }: IncomingCall,
  numbering: Numbering,
): DesiredIncomingRoute[] {
  const called = readCalled(number, numbering);
  return inOrder(routes, numbering).flatMap(({ route, fit }) => (fitsNumber(fit, called) ? route : []));
}

/** Whether one of these routes names a number; routes for any number do not count. Each route is read only once. */
export function namedNumbers(
  routes: readonly Pick<DesiredIncomingRoute, 'number' | 'match'>[],
  numbering: Numbering,
): (number: string) => boolean {
  const fits = routes.flatMap((route) => numberFit(route, numbering) ?? []);
  const keys = new Set(fits.flatMap((fit) => (fit.kind === 'exact' ? fit.key : [])));
  const unlike = new Map(fits.map((fit) => [fit.id, fit]));
  const others = [...unlike.values()].filter(({ kind }) => kind === 'ends' || kind === 'pattern');
  return (number) => {
    const called = readCalled(number, numbering);
    return keys.has(called.key) || others.some((fit) => fitsNumber(fit, called));
  };
}

function fitsNumber(fit: NumberFit, called: Called): boolean {
  switch (fit.kind) {
    case 'any':
      return true;
    case 'exact':
      return called.key === fit.key;
    case 'ends':
      return called.digits.endsWith(fit.digits);
    case 'pattern':
      return called.raw !== '' && fitsPattern(fit.pattern, called.raw);
  }
}
