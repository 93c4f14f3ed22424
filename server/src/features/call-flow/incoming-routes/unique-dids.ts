import { namesNumber } from '../../../engine/call-flow/incoming-fit.ts';
import type { Numbering } from '../../../engine/desired-call-flow.ts';
import type { IncomingRoute } from './incoming-route-fields.ts';

const MOST = 20;

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
export function uniqueDids(called: readonly CalledNumber[], wanted: Wanted) {
  const { providerId, isUnmatched, logins, routes, numbering } = wanted;
  const concerned = routes.filter(
    ({ providerid, number }) =>
      number !== '' && (providerId === '' || providerid === 'none' || providerid === providerId),
  );
  return called
    .filter(({ did }) => !logins.has(did))
    .filter(({ did }) => !isUnmatched || !concerned.some((route) => namesNumber(route, did, numbering)))
    .slice(0, MOST)
    .map(({ did, lastSeen, calls }) => ({ value: did, name: did, lastSeen, calls }));
}
