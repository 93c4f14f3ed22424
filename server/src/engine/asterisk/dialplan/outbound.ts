import { readFileSync } from 'node:fs';
import { CALL_CLASSES } from '../../../lib/caller-id.ts';
import { readBeginnings } from '../../../lib/outbound-number.ts';
import { type DesiredCallFlow, type DesiredOutboundRoute, PLAIN_CALL_FLOW } from '../../desired-call-flow.ts';
import type { DesiredExtension, DesiredProvider, DesiredState } from '../../desired-state.ts';
import { dialable } from '../config/encode.ts';
import { choosesCallerIds, senderOf } from '../config/provider-sender.ts';
import { context, exten } from './contexts.ts';
import { dialPatterns } from './dial-patterns.ts';

/** The logic that the contexts below are for. */
export const OUTBOUND = readFileSync(new URL('./outbound.conf', import.meta.url), 'utf8');

/** Anything that can be dialled. */
const ANY = '_[+*#0-9]!';
/** So many routes include each other: the engine follows at most 128 contexts. */
const CHAIN = 50;
const CALLER_ID = /^(?:anonymous|\+?\d{2,15})$/;

/** Data of calls out: the routes, who may call how far and shows which number, and what each provider is shown. */
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

function sender(provider: DesiredProvider, at: number): string {
  const { user, host } = senderOf(provider);
  return exten(String(at + 1), `Return(${provider.callerIdPlacement ?? 'pai'},${host},${user})`);
}

/** How a number goes out: over the routes, or, as long as none is stored, over every provider (contract 23.1). */
function renderWays({ outboundRoutes }: DesiredCallFlow, providers: readonly DesiredProvider[]): string {
  const to = (name: string) => exten(ANY, `Goto(${name},\${EXTEN},1)`);
  if (!outboundRoutes) return context('pbx-ways', to('pbx-every-provider'));
  const places = new Map(providers.map(({ id }, at) => [id, at + 1]));
  const routes = outboundRoutes.filter(({ isDisabled, providerId }) => !isDisabled && places.has(providerId));
  const contexts = routes.map((route, index) => {
    const at = index + 1;
    const next = at % CHAIN === 0 ? `pbx-routes-from-${at + 1}` : `pbx-route-${at + 1}`;
    const lines = routeLines(route, places.get(route.providerId) as number, at + 1);
    const chained = context(`pbx-route-${at}`, ...lines, `include => ${next}\n`);
    return at % CHAIN === 0 ? chained + context(next, to(`pbx-route-${at + 1}`)) : chained;
  });
  return [
    context('pbx-ways', to('pbx-route-1')),
    ...contexts,
    context(`pbx-route-${routes.length + 1}`, to('pbx-routes-end')),
  ].join('');
}

/** One line for each way that a number may begin, with `+` and without; then the next route. */
function routeLines(route: DesiredOutboundRoute, provider: number, next: number): string[] {
  const { beginsWith, restDigits, trim, prepend, callerId, forwardedCallerId, callClass } = route;
  const isChanged = trim > 0 || prepend !== '';
  const lines = (readBeginnings(beginsWith) ?? []).flatMap((beginning) =>
    dialPatterns(beginning, restDigits).map(({ pattern, hasPlus }) => {
      const cut = Math.trunc(trim) + (hasPlus ? 1 : 0);
      const fields = [
        provider,
        isChanged ? `${dialable(prepend)}\${EXTEN:${cut}}` : `\${EXTEN}`,
        CALL_CLASSES.indexOf(callClass),
        CALLER_ID.test(callerId) ? callerId : '',
        forwardedCallerId === 'caller' ? 1 : '',
      ];
      return exten(
        pattern,
        `Gosub(pbx-over,\${EXTEN},1(${fields.join(',')}))`,
        `Goto(pbx-route-${next},\${EXTEN},1)`,
      );
    }),
  );
  // Alternatives may say the same.
  return [...new Set(lines)];
}
