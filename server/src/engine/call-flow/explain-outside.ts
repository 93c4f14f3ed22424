import { CAUSE } from './causes.ts';
import type { Extension, NamedProvider, StepKind } from './explanation.ts';
import { mobileDial } from './mobile-dial.ts';
import { type OutboundAttempt, planOutbound } from './outbound-plan.ts';
import { LONGEST_RING_SECONDS } from './ring-seconds.ts';
import { called, giveUp, type Move, pass, seconds, type Walk, within } from './walk.ts';

/** Dials a number outside because a stored setting of the operator says so (contract 21.6). */
export const dialOutside = (walk: Walk, number: string): Move =>
  tryAll(walk, { kind: 'outside', number, name: '' }, attemptsTo(walk, number));

export const dialMobile = (walk: Walk, number: string, owner: Extension): Move =>
  tryAll(walk, { kind: 'mobile', number, name: owner.name }, attemptsTo(walk, number, owner));

/** Whether dialling this outside number or mobile phone would ring anywhere. */
export const canBeDialled = (walk: Walk, number: string): boolean =>
  attemptsTo(walk, number, walk.mobile(number)).some(({ providerId }) => isThere(walk, providerId));

const isThere = ({ call: { present } }: Walk, providerId: string): boolean =>
  present?.isProviderThere(providerId) !== false;

/** The attempts that are actually made, in order. */
function attemptsTo(walk: Walk, number: string, owner?: Extension): readonly OutboundAttempt[] {
  const known = walk.attempts.get(number);
  if (known) return known;
  const { house, flow } = walk;
  const call = owner ? dialOf(house.providers, number, owner) : { number };
  const planned = planOutbound(call, { routes: flow.outboundRoutes, providers: house.providers });
  const attempts = planned.filter(({ skipped }) => skipped === '');
  walk.attempts.set(number, attempts);
  return attempts;
}

/** If the dial string of a mobile phone names a provider, only that one is used (contract 23.15). */
function dialOf(providers: readonly NamedProvider[], number: string, { mobile }: Extension) {
  const ids = providers.flatMap(({ id, isInService }) => (isInService ? id : []));
  const { dials, providerId } = mobileDial({ number, dialString: mobile.dialString }, ids);
  return { number: dials, ...(providerId !== '' && { onlyProvider: providerId }) };
}

interface Callee {
  readonly kind: StepKind;
  readonly number: string;
  readonly name: string;
}

/** One provider after the other (contract 23.5). One that is away is skipped; where it rings, nobody answers. */
function tryAll(walk: Walk, { kind, number, name }: Callee, attempts: readonly OutboundAttempt[]): Move {
  const { providers } = walk.house;
  const by = `${kind} ${number}`;
  const who = called(name, number);
  if (attempts.length === 0) {
    walk.step(kind, number, name, `${who} cannot be dialled: no provider takes calls to this number.`);
    walk.warnings.add(`${number} would be dialled outside, but no provider takes calls to it`);
    walk.last = { by, dialstatus: 'NOROUTE' };
    return giveUp(CAUSE.nobody);
  }
  for (const { providerId, dials, route } of attempts) {
    if (walk.isFull()) break;
    const description = providers.find(({ id }) => id === providerId)?.description ?? '';
    const as = dials === number ? '' : ` as ${dials}`;
    const rule = route ? ` by outbound route ${called(route.name, route.id)}` : '';
    const over = `${as} over ${called(description, providerId)}${rule}`;
    if (!isThere(walk, providerId)) {
      walk.step(kind, number, name, `${who} cannot be dialled${over}: the provider is not reachable.`);
      walk.last = { by, dialstatus: 'CHANUNAVAIL' };
      continue;
    }
    const rung = within(walk, LONGEST_RING_SECONDS);
    walk.step(kind, number, name, `${who} is dialled${over} and rings for ${seconds(rung)}.`);
    walk.ring({ number, name, from: walk.after, to: walk.after + rung, state: 'Unknown' });
    pass(walk, rung);
    walk.last = { by, dialstatus: 'NOANSWER' };
    return giveUp(CAUSE.noAnswer);
  }
  return giveUp(CAUSE.noWay);
}
