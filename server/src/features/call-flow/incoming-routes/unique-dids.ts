import { namedNumbers } from '../../../engine/call-flow/incoming-fit.ts';
import type { Numbering } from '../../../engine/desired-call-flow.ts';
import type { IncomingRoute } from './incoming-route-fields.ts';

const MOST = 20;
/** Numbers checked at a time; other requests are served in between. */
const CHUNK = 100;

/** A number called from outside, according to call records. */
export interface CalledNumber {
  readonly did: string;
  /** In the time format of answers. */
  readonly lastSeen: string;
  readonly calls: number;
}

interface Wanted {
  readonly providerId: string;
  readonly isUnmatched: boolean;
  /** Login names of the providers in question: some send them in place of the number. */
  readonly logins: ReadonlySet<string>;
  readonly routes: readonly IncomingRoute[];
  readonly numbering: Numbering;
}

/** Numbers for which a route could be created, newest first. */
export async function uniqueDids(called: readonly CalledNumber[], wanted: Wanted) {
  const { providerId, isUnmatched, logins, routes, numbering } = wanted;
  const concerned = routes.filter(
    ({ providerid }) => providerId === '' || providerid === 'none' || providerid === providerId,
  );
  const isNamed = isUnmatched ? namedNumbers(concerned, numbering) : () => false;
  const found: CalledNumber[] = [];
  for (const [at, one] of called.entries()) {
    if (found.length === MOST) break;
    // Thousands of numbers may have been called, and each is compared with up to a thousand patterns.
    if (at > 0 && at % CHUNK === 0) await new Promise((resolve) => setImmediate(resolve));
    if (!logins.has(one.did) && !isNamed(one.did)) found.push(one);
  }
  return found.map(({ did, lastSeen, calls }) => ({ value: did, name: did, lastSeen, calls }));
}
