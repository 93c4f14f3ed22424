import type { Extension, IdleRoute, NamedProvider, Present } from '../../../engine/call-flow/explanation.ts';
import type { DesiredQueue } from '../../../engine/desired-call-flow.ts';
import type { FlowRecord } from '../../../lib/flow-record.ts';
import { ownMobiles } from '../../../lib/mobile-number.ts';
import type { TelephonyArea } from '../../telephony/telephony.ts';
import { waitingIn } from '../call-queues/queue-board.ts';
import { desiredRoute } from '../incoming-routes/desired-incoming-routes.ts';
import { DEFAULT_ROUTE, type IncomingRoute } from '../incoming-routes/incoming-route-fields.ts';

type Employees = ReturnType<TelephonyArea['employees']['all']>;
type Providers = Awaited<ReturnType<TelephonyArea['providers']['recent']>>;
type Board = Awaited<ReturnType<TelephonyArea['board']['read']>>;

const made = new WeakMap<Employees, readonly Extension[]>();

/** Built once per list of employees, in the engine's order. */
export function extensionsOf(employees: Employees): readonly Extension[] {
  const known = made.get(employees);
  if (known) return known;
  const mobileOf = ownMobiles(employees);
  const extensions = employees
    .map((employee) => ({
      number: employee.number,
      name: employee.user_username,
      mobile: mobileOf(employee),
      ringSeconds: employee.fwd_ringlength,
      forward: {
        onNoAnswer: employee.fwd_forwarding,
        onBusy: employee.fwd_forwardingonbusy,
        onUnavailable: employee.fwd_forwardingonunavailable,
      },
    }))
    .sort((a, b) => (a.number < b.number ? -1 : 1));
  made.set(employees, extensions);
  return extensions;
}

export const providersOf = (stored: Providers, isInService: (id: string) => boolean): NamedProvider[] =>
  stored.map(({ id, description, disabled, fromuser }) => ({
    id,
    description,
    isDisabled: disabled,
    isInService: isInService(id),
    fromUser: fromuser,
  }));

/** Stored routes that the engine does not serve (contract 22.4, 22.13). */
export const idleRoutesOf = (
  records: readonly FlowRecord[],
  isInService: (providerId: string) => boolean,
): IdleRoute[] =>
  (records as readonly FlowRecord<IncomingRoute>[]).flatMap((record): IdleRoute[] => {
    const { disabled, providerid } = record.values;
    if (record.id === DEFAULT_ROUTE) return [];
    if (disabled) return [{ route: desiredRoute(record), reason: 'disabled' }];
    return providerid === 'none' || isInService(providerid)
      ? []
      : [{ route: desiredRoute(record), reason: 'provider disabled' }];
  });

/** `undefined` unless the engine is up: nothing is known of phones then. */
export function presentOf(
  { engine, extensions, providers, legs, queues }: Board,
  stored: Providers,
  { queues: desired, now }: { readonly queues: readonly DesiredQueue[]; readonly now: number },
): Present | undefined {
  if (engine !== 'up') return undefined;
  const waiting = waitingIn(legs.values());
  const memberOf = (queueId: string, number: string) =>
    queues.get(queueId)?.members.find((member) => member.number === number);
  let longestWrapUps: ReadonlyMap<string, number> | undefined;
  const comeToUs = new Set(stored.flatMap((one) => (one.registration_type === 'inbound' ? one.id : [])));
  return {
    isReachable: (number) =>
      (extensions.get(number)?.devices ?? []).some(({ reach }) => reach !== 'unreachable'),
    memberDevice: (queueId, number) => memberOf(queueId, number)?.device,
    wrapUpLeft(queueId, number) {
      longestWrapUps ??= wrapUpsOf(desired);
      const longest = longestWrapUps.get(number) ?? 0;
      const sinceLast = (now - (memberOf(queueId, number)?.lastCallAt ?? now)) / 1000;
      return Math.max(0, Math.min(longest, longest - sinceLast));
    },
    isProviderThere(id) {
      const state = providers.get(id)?.state;
      return state !== 'unreachable' && !(state === 'unregistered' && comeToUs.has(id));
    },
    waiting: (queue) => waiting.get(queue)?.length ?? 0,
  };
}

/** The queue of a member's last call decides (contract 27.15); as that may be any of its queues, the longest counts. */
function wrapUpsOf(queues: readonly DesiredQueue[]): ReadonlyMap<string, number> {
  const longest = new Map<string, number>();
  for (const { members, wrapUpSeconds } of queues)
    for (const { number } of members) longest.set(number, Math.max(longest.get(number) ?? 0, wrapUpSeconds));
  return longest;
}
