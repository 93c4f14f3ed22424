import { readCalled } from '../../lib/route-number.ts';
import { almostFitting } from './almost-fitting.ts';
import { CAUSE, sipStatus, statusOfCause } from './causes.ts';
import { askHours } from './explain-hours.ts';
import { enterTarget, nameInside } from './explain-target.ts';
import type { Explanation, House, SupposedCall } from './explanation.ts';
import { fittingRoutes } from './incoming-fit.ts';
import { called, createWalk, enter, giveUp, type Move, playMessage, type Route, type Walk } from './walk.ts';

/**
 * Explains what would happen to a call from outside that nobody answers (contract 28). Walks through the same model
 * that the dialplan is rendered from, in the same moves as `incoming.conf` and `routes.conf`; a test compares the two.
 */
export function explainCall(house: House, call: SupposedCall): Explanation {
  const { callFlow } = house;
  const walk = createWalk(house, call, calledNumber(call.number));
  const { routes: fitting, closest, outdone } = fittingRoutes(callFlow, call);
  const provider = house.providers.find(({ id }) => id === call.providerId);
  walk.step('provider', call.providerId, provider?.description ?? '', arrival(call, provider?.description));
  if (provider && !provider.isInService)
    walk.warnings.add(
      `provider ${called(provider.description, provider.id)} is not in service: no call comes over it`,
    );
  walk.routes = [...fitting, callFlow.defaultRoute];
  if (closest && outdone.length > 0)
    walk.outdone = { by: closest, text: notReached(outdone, 'whose number fits less closely') };
  const closed = askHours(walk, () =>
    tellRoute(walk, fitting[0] ?? callFlow.defaultRoute, 'fits, not entered.'),
  );
  // The dialplan begins with this cause, but goes straight to route 1 if there is nothing else to ask.
  const isPlain = callFlow.incomingRoutes.length + callFlow.offWorkRules.length === 0;
  const told = walkOn(walk, closed ?? nextRoute(walk, isPlain ? undefined : CAUSE.nobody));
  return { ...told, warnings: [...told.warnings, ...almostFitting(house, call)] };
}

/** What the dialplan takes as the number called: characters that can be dialled, or a name (contract 22.12). */
const calledNumber = (number: string): string =>
  /^([+*#0-9]+|[a-zA-Z][a-zA-Z0-9._]+)$/.test(number) ? number : '';

function arrival({ providerId, number, caller }: SupposedCall, name: string | undefined): string {
  const from = caller === '' ? 'Somebody without a number' : caller;
  const over = providerId === '' ? 'a provider that no route names' : called(name ?? '', providerId);
  return `${from} calls ${number === '' ? 'without a number' : number} over ${over}.`;
}

function walkOn(walk: Walk, first: Move): Explanation {
  for (let move = first; ; ) {
    if (walk.isFull()) {
      walk.step('loop', '', '', 'The call goes on beyond what is shown here.');
      walk.warnings.add('the call passes more stations than are shown');
      return finish(walk, { to: 'end', cause: CAUSE.congestion });
    }
    if (move.to === 'end') return finish(walk, move);
    if (move.to === 'target') move = enterTarget(walk, move.target);
    else if (move.to === 'give-up') move = whenGivenUp(walk, move.cause);
    else move = nextRoute(walk, move.cause);
  }
}

/** The next route gets the call, unless the target was busy or an application took it (contract 22.6, 22.7). */
const whenGivenUp = ({ routes, deadline }: Walk, cause: number): Move =>
  routes.length > 0 && deadline !== undefined && cause !== CAUSE.busy
    ? { to: 'next-route', cause }
    : { to: 'end', cause };

/** A route begins a chain of its own. */
function nextRoute(walk: Walk, cause: number | undefined): Move {
  const [route, ...later] = walk.routes;
  if (!route) return { to: 'end', cause: cause ?? CAUSE.nobody };
  walk.routes = later;
  walk.cause = cause;
  walk.taken = undefined;
  const inside = 'didToExtension' in route && route.didToExtension ? nameInside(walk, walk.did) : undefined;
  if (inside === undefined) tellRoute(walk, route, targetText(route));
  else
    walk.step(
      'did',
      walk.did,
      inside,
      `The number called belongs to ${called(inside, walk.did)}; the default route leads there.`,
    );
  playMessage(walk, route.soundId);
  walk.seen = [];
  walk.deadline = route.timeoutSeconds > 0 ? walk.after + route.timeoutSeconds : 0;
  if (inside !== undefined) return enter(walk.did);
  return route.target === '' ? giveUp(walk.cause ?? CAUSE.nobody) : enter(route.target);
}

function targetText({ target, timeoutSeconds }: Route): string {
  if (target === '') return 'leads nowhere.';
  return `leads to ${target}${timeoutSeconds > 0 ? ` for at most ${timeoutSeconds} s` : ''}.`;
}

function tellRoute(walk: Walk, route: Route, text: string): void {
  const isDefault = 'didToExtension' in route;
  const what = isDefault ? 'The default route' : `Route ${called(route.name, route.id)}`;
  const n = walk.step(isDefault ? 'default' : 'route', String(route.id), route.name, `${what} ${text}`);
  if (walk.outdone?.by === route) tellOutdone(walk, n);
}

function tellOutdone(walk: Walk, step: number): void {
  if (walk.outdone) walk.addText(step, walk.outdone.text);
  walk.outdone = undefined;
}

function finish(walk: Walk, { cause, isBusy }: Extract<Move, { to: 'end' }>): Explanation {
  const left = [...walk.unasked, ...walk.routes];
  const sip = walk.isAnswered ? 0 : sipStatus(cause);
  const station = walk.steps.findLast(({ kind }) => kind !== 'loop');
  const by = walk.last?.by ?? `${station?.kind} ${station?.id}`.trim();
  const dialstatus = isBusy ? 'BUSY' : (walk.last?.dialstatus ?? statusOfCause(cause));
  const told = sip === 0 ? 'the answered line is hung up' : `the provider gets ${sip}`;
  const end = walk.step('end', '', '', `Nobody answered: ${told} (${by}, ${dialstatus}).`);
  if (left.length > 0) walk.addText(walk.taken ?? end, notReached(left));
  tellOutdone(walk, walk.taken ?? end);
  if (walk.rings.length === 0) walk.warnings.add('nobody can be rung');
  return {
    normalised: readCalled(walk.call.number, walk.flow.numbering).key,
    steps: walk.steps,
    rings: walk.rings,
    ends: { by, dialstatus, sip },
    warnings: [...walk.warnings],
  };
}

/** contract 28.4 */
function notReached(routes: readonly Route[], why = ''): string {
  const names = routes.slice(0, 20).map(({ name, id }) => called(name, id));
  const more = routes.length - names.length;
  const others = more > 0 ? ` and ${more} more` : '';
  return `Not reached: route ${names.join(', ')}${others}${why && `, ${why}`}.`;
}
