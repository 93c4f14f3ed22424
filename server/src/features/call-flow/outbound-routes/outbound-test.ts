import type { Static } from 'typebox';
import { mobileDial } from '../../../engine/call-flow/mobile-dial.ts';
import {
  type OutboundAttempt,
  type PlannedProvider,
  planOutbound,
} from '../../../engine/call-flow/outbound-plan.ts';
import { isForAnyDigits } from '../../../engine/call-flow/queue-codes.ts';
import type { DesiredOutboundRoute } from '../../../engine/desired-call-flow.ts';
import type { CallClass } from '../../../lib/caller-id.ts';
import { InvalidFields } from '../../../lib/errors.ts';
import { bare, mobileOwners } from '../../../lib/mobile-number.ts';
import type { Directory } from '../../telephony/directory/directory.ts';
import type { OutboundTest } from './outbound-route.schema.ts';

interface Employee {
  readonly id: number;
  readonly number: string;
  readonly mobile_number: string;
  readonly mobile_dialstring: string;
  readonly outgoing_callerid: string;
  readonly call_class: CallClass;
}

interface NamedProvider extends PlannedProvider {
  readonly description: string;
  readonly state: string;
}

/** The stored state at one moment. */
interface Known {
  readonly employees: readonly Employee[];
  readonly holderOf: Directory['holderOf'];
  readonly features: Directory['reserved']['features'];
  readonly routes: readonly DesiredOutboundRoute[] | undefined;
  readonly providers: readonly NamedProvider[];
}

type Answer = Static<typeof OutboundTest>;

/** What would happen if somebody dialled a number; nobody is rung (contract 23.14). */
export function testOutbound(
  { number, employee }: { number: string; employee: string },
  known: Known,
): Answer {
  const { employees, holderOf, routes, providers } = known;
  const caller = employees.find((one) => one.number === employee);
  if (employee !== '' && !caller) throw new InvalidFields('employee: no such employee');
  const answer = (
    kind: Answer['kind'],
    reason: string,
    attempts: readonly OutboundAttempt[] = [],
  ): Answer => ({
    number,
    kind,
    allowed: reason === '',
    reason,
    attempts: attempts.map(shownAttempt),
  });

  // In the order of contract 20.5.
  const holder = holderOf(number);
  if (employees.some((one) => one.number === number) || holder?.reason === 'taken')
    return answer('internal', '');
  const isEmergency = holder?.reason === 'emergency';
  const isCode = holder?.reason === 'feature' || isForOneQueue(number, known);
  if (isCode && !isEmergency) return answer('feature', '');
  const mobile = isEmergency ? undefined : mobileOwners(employees).get(bare(number));
  const way = mobile ? mobileWay(number, mobile.mobile_dialstring, providers) : { number };
  const attempts = planOutbound(
    {
      ...way,
      isEmergency,
      ...(caller && { callClass: caller.call_class, ownCallerId: caller.outgoing_callerid }),
    },
    { routes, providers },
  );
  const reason = whyNot(attempts, caller);
  if (isEmergency) return answer('emergency', reason, attempts);
  return answer(attempts.length === 0 ? 'nobody' : 'outside', reason, attempts);

  function shownAttempt({ route, providerId, dials, callerId, skipped }: OutboundAttempt) {
    const provider = providers.find(({ id }) => id === providerId);
    return {
      routeId: route ? String(route.id) : '',
      rulename: route?.name ?? '',
      providerid: providerId,
      provider: provider?.description ?? '',
      state: provider?.state ?? '',
      dials,
      callerid: callerId,
      skipped,
    };
  }
}

/** A queue member's code followed by the number of one queue (contract 27.19). */
const isForOneQueue = (number: string, { features, holderOf }: Known): boolean =>
  ['queue-login', 'queue-pause'].some((name) => {
    const code = features[name] ?? '';
    if (code === '' || !number.startsWith(code)) return false;
    const rest = number.slice(code.length);
    return isForAnyDigits(code) ? /^\d/.test(rest) : holderOf(rest)?.type === 'QUEUE';
  });

function mobileWay(number: string, dialString: string, providers: readonly NamedProvider[]) {
  const ids = providers.flatMap(({ id, isInService }) => (isInService ? id : []));
  const { dials, providerId } = mobileDial({ number, dialString }, ids);
  return { number: dials, ...(providerId !== '' && { onlyProvider: providerId }) };
}

function whyNot(attempts: readonly OutboundAttempt[], caller: Employee | undefined): string {
  if (attempts.some(({ skipped }) => skipped === '')) return '';
  if (attempts.some(({ skipped }) => skipped === 'class'))
    return `the call class of ${caller?.number} is ${caller?.call_class}`;
  return attempts.length === 0
    ? 'no outbound route fits, and no provider takes it'
    : 'no route that fits can be used';
}
