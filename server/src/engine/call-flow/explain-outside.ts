import { CAUSE } from './causes.ts';
import type { Extension, StepKind } from './explanation.ts';
import { mobileDial } from './mobile-dial.ts';
import { planOutbound } from './outbound-plan.ts';
import { called, giveUp, type Move, pass, seconds, type Walk, within } from './walk.ts';

const LONGEST_RING_SECONDS = 600;

/** A number outside, by a stored word of the operator (contract 21.6). */
export const dialOutside = (walk: Walk, number: string): Move =>
  tryAll(walk, { kind: 'outside', number, name: '' }, { number });

/** An employee's mobile phone; its dial string may name a provider, which is the only one then (contract 23.15). */
export function dialMobile(walk: Walk, number: string, { name, mobile }: Extension): Move {
  const ids = walk.house.providers.flatMap(({ id, isInService }) => (isInService ? id : []));
  const { dials, providerId } = mobileDial({ number, dialString: mobile.dialString }, ids);
  const way = { number: dials, ...(providerId !== '' && { onlyProvider: providerId }) };
  return tryAll(walk, { kind: 'mobile', number, name }, way);
}

interface Callee {
  readonly kind: StepKind;
  readonly number: string;
  readonly name: string;
}

/** One provider after the other (contract 23.5). One that is away is left for the next; where it rings, nobody answers. */
function tryAll(
  walk: Walk,
  { kind, number, name }: Callee,
  way: { readonly number: string; readonly onlyProvider?: string },
): Move {
  const { providers } = walk.house;
  const attempts = planOutbound(way, { routes: walk.flow.outboundRoutes, providers }).filter(
    ({ skipped }) => skipped === '',
  );
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
    if (walk.call.present?.isProviderThere(providerId) === false) {
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
