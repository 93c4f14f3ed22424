import { readFileSync } from 'node:fs';
import { CALL_CLASSES } from '../../../lib/caller-id.ts';
import { readBeginnings } from '../../../lib/outbound-number.ts';
import { type DesiredCallFlow, type DesiredOutboundRoute, PLAIN_CALL_FLOW } from '../../desired-call-flow.ts';
import type { DesiredExtension, DesiredProvider, DesiredState } from '../../desired-state.ts';
import { dialable } from '../config/encode.ts';
import { choosesCallerIds, senderOf } from '../config/provider-sender.ts';
import { context, exten, providerKey } from './contexts.ts';
import { dialPatterns } from './dial-patterns.ts';

/** The logic that uses the contexts below. */
export const OUTBOUND = readFileSync(new URL('./outbound.conf', import.meta.url), 'utf8');

/** Anything that can be dialled. */
const ANY = '_[+*#0-9]!';
/** How many routes include each other in a row: the engine follows at most 128 contexts. */
const CHAIN = 50;
const CALLER_ID = /^(?:anonymous|\+?\d{2,15})$/;

/** Data of outgoing calls: the routes, who may call how far and shows which number, what each provider is shown. */
export function renderOutbound(state: DesiredState): string {
  const { extensions, providers, callFlow = PLAIN_CALL_FLOW } = state;
  return [
    context('pbx-emergency', ...callFlow.emergencyNumbers.filter(isEmergencyNumber).map(emergency)),
    context('pbx-shows', ...extensions.flatMap(shows).reverse()),
    context('pbx-classes', ...extensions.flatMap(mayCall).reverse()),
    context('pbx-senders', ...(choosesCallerIds(state) ? providers.map(sender) : [])),
    renderWays(callFlow, providers),
  ].join('');
}

const isEmergencyNumber = (number: string): boolean => /^\d{2,6}$/.test(number);
const emergency = (number: string): string => exten(number, `Gosub(pbx-urgent,${number},1)`);

function shows({ number, outgoingCallerId = '' }: DesiredExtension): string[] {
  if (!/^\d+$/.test(number) || !CALLER_ID.test(outgoingCallerId)) return [];
  return [exten(number, `Set(PBX_SHOWS=${outgoingCallerId})`, 'Return()')];
}

function mayCall({ number, callClass = 'premium' }: DesiredExtension): string[] {
  if (!/^\d+$/.test(number) || callClass === 'premium') return [];
  return [exten(number, `Set(PBX_CLASS=${CALL_CLASSES.indexOf(callClass)})`, 'Return()')];
}

function sender(provider: DesiredProvider): string {
  const { user, host } = senderOf(provider);
  return exten(providerKey(provider.id), `Return(${provider.callerIdPlacement ?? 'pai'},${host},${user})`);
}

/** How a number goes out: over the routes, or, as long as none is stored, over every provider (contract 23.1). */
function renderWays({ outboundRoutes }: DesiredCallFlow, providers: readonly DesiredProvider[]): string {
  const to = (name: string) => exten(ANY, `Goto(${name},\${EXTEN},1)`);
  const include = (name: string) => `include => ${name}\n`;
  const known = new Set(providers.map(({ id }) => id));
  const routes = (outboundRoutes ?? []).filter(
    ({ isDisabled, providerId }) => !isDisabled && known.has(providerId),
  );
  const nameOf = (route: DesiredOutboundRoute | undefined) =>
    route ? `pbx-route-${route.id}` : 'pbx-routes-end';
  const contexts = routes.map((route, at) => {
    const next = nameOf(routes[at + 1]);
    const lines = routeLines(route, next);
    if ((at + 1) % CHAIN !== 0) return context(nameOf(route), ...lines, include(next));
    const from = `pbx-routes-from-${at + 2}`;
    return context(nameOf(route), ...lines, include(from)) + context(from, to(next));
  });
  return [
    context('pbx-ways', to(outboundRoutes ? 'pbx-every-route' : 'pbx-every-provider')),
    context('pbx-routes-begin', include(nameOf(routes[0]))),
    ...contexts,
  ].join('');
}

/** One line for each way that a number may begin, with `+` and without. */
function routeLines(route: DesiredOutboundRoute, next: string): string[] {
  const { id, providerId, beginsWith, restDigits, trim, prepend, callerId, forwardedCallerId, callClass } =
    route;
  const isChanged = trim > 0 || prepend !== '';
  const lines = (readBeginnings(beginsWith) ?? []).flatMap((beginning) =>
    dialPatterns(beginning, restDigits).map(({ pattern, hasPlus }) => {
      const cut = Math.trunc(trim) + (hasPlus ? 1 : 0);
      const fields = [
        id,
        next,
        providerKey(providerId),
        isChanged ? `${dialable(prepend)}\${EXTEN:${cut}}` : `\${EXTEN}`,
        CALL_CLASSES.indexOf(callClass),
        CALLER_ID.test(callerId) ? callerId : '',
        forwardedCallerId === 'caller' ? 1 : '',
      ];
      return exten(pattern, `Return(${fields.join(',')})`);
    }),
  );
  // Alternatives may result in the same line.
  return [...new Set(lines)];
}
