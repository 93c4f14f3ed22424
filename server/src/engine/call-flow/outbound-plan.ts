import { CALL_CLASSES, type CallClass } from '../../lib/caller-id.ts';
import { dialledOut, fitsOutbound } from '../../lib/outbound-number.ts';
import type { DesiredOutboundRoute } from '../desired-call-flow.ts';

export interface PlannedProvider {
  readonly id: string;
  readonly isDisabled: boolean;
  readonly isInService: boolean;
  /** Used in From if nothing else was chosen. */
  readonly fromUser: string;
}

interface OutboundCall {
  readonly number: string;
  /** `undefined`: a stored setting of the operator, which is not checked (contract 23.9). */
  readonly callClass?: CallClass | undefined;
  readonly isEmergency?: boolean;
  /** The caller's `outgoing_callerid`. */
  readonly ownCallerId?: string;
  /** Goes straight to this provider (contract 23.15). */
  readonly onlyProvider?: string;
}

/** The most routes, or providers, that are tried for a call: nobody waits for more (contract 23.5). */
export const MOST_WAYS = 100;

interface Ways {
  /** By priority, then id, disabled ones too; `undefined`: none is stored. */
  readonly routes: readonly DesiredOutboundRoute[] | undefined;
  /** All stored providers, in the order of lists. */
  readonly providers: readonly PlannedProvider[];
}

export const SKIPPED = ['', 'disabled', 'not in service', 'class', 'nothing left'] as const;

export interface OutboundAttempt {
  /** `undefined`: without a route. */
  readonly route: DesiredOutboundRoute | undefined;
  readonly providerId: string;
  readonly dials: string;
  readonly callerId: string;
  /** Why the attempt is passed over; `''` = it is made. */
  readonly skipped: (typeof SKIPPED)[number];
}

/** The attempts of an outgoing call in the engine's order (contract 23), if each one fails. */
export function planOutbound(call: OutboundCall, { routes, providers }: Ways): OutboundAttempt[] {
  const { number, isEmergency = false, ownCallerId = '', onlyProvider } = call;
  const known = new Map(providers.map((provider) => [provider.id, provider]));
  const callClass = isEmergency ? undefined : call.callClass;
  const isAbove = (needed: CallClass): boolean =>
    callClass !== undefined && CALL_CLASSES.indexOf(needed) > CALL_CLASSES.indexOf(callClass);

  function byRoute(route: DesiredOutboundRoute): OutboundAttempt {
    const provider = known.get(route.providerId);
    const dials = dialledOut(route, number);
    const callerId = ownCallerId || route.callerId || provider?.fromUser || '';
    return { route, providerId: route.providerId, dials, callerId, skipped: whyNot() };

    function whyNot(): OutboundAttempt['skipped'] {
      if (route.isDisabled || provider?.isDisabled) return 'disabled';
      if (!provider?.isInService) return 'not in service';
      if (isAbove(route.callClass)) return 'class';
      return dials === '' ? 'nothing left' : '';
    }
  }

  const byNone = ({ id, fromUser }: PlannedProvider): OutboundAttempt => ({
    route: undefined,
    providerId: id,
    dials: number,
    callerId: ownCallerId || fromUser,
    skipped: isAbove('national') ? 'class' : '',
  });
  const inService = providers.filter(({ isInService }) => isInService);
  if (onlyProvider !== undefined) return inService.filter(({ id }) => id === onlyProvider).map(byNone);
  const ways = inService.slice(0, MOST_WAYS);
  if (!routes) return ways.map(byNone);
  let left = MOST_WAYS;
  const planned = routes
    .filter((route) => fitsOutbound(route, number))
    .map(byRoute)
    // Routes that the engine does not have do not count.
    .filter(({ skipped }) => skipped === 'disabled' || skipped === 'not in service' || left-- > 0);
  if (!isEmergency) return planned;
  const tried = new Set(planned.flatMap(({ skipped, providerId }) => (skipped === '' ? providerId : [])));
  return [...planned, ...ways.filter(({ id }) => !tried.has(id)).map(byNone)];
}
