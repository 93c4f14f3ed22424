import { namedNumbers } from '../../../engine/call-flow/incoming-fit.ts';
import type { Numbering } from '../../../engine/desired-call-flow.ts';
import type { IncomingRoute } from './incoming-route-fields.ts';

const MOST = 20;
/** So many numbers at once; between them the service answers others. */
const CHUNK = 100;

/** A number called from outside, as call records have it. */
export interface CalledNumber {
  readonly did: string;
  /** As times are written in answers. */
  readonly lastSeen: string;
  readonly calls: number;
}

interface Wanted {
  readonly providerId: string;
  readonly isUnmatched: boolean;
  /** Login names of the providers that are asked about: some put them where a number belongs. */
  readonly logins: ReadonlySet<string>;
  readonly routes: readonly IncomingRoute[];
  readonly numbering: Numbering;
}

/** Numbers that a route could be made for, the newest first. */
export async function uniqueDids(called: readonly CalledNumber[], wanted: Wanted) {
  const { providerId, isUnmatched, logins, routes, numbering } = wanted;
  const concerned = routes.filter(
    ({ providerid }) => providerId === '' || providerid === 'none' || providerid === providerId,
  );
  const isNamed = isUnmatched ? namedNumbers(concerned, numbering) : () => false;
  const found: CalledNumber[] = [];
  for (const [at, one] of called.entries()) {
    if (found.length === MOST) break;
    // Thousands of numbers may have been called, and each is held against a thousand patterns.
    if (at > 0 && at % CHUNK === 0) await new Promise((resolve) => setImmediate(resolve));
    if (!logins.has(one.did) && !isNamed(one.did)) found.push(one);
  }
  return found.map(({ did, lastSeen, calls }) => ({ value: did, name: did, lastSeen, calls }));
}
