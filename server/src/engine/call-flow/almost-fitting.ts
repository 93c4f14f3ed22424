import type { House, SupposedCall } from './explanation.ts';
import { fitsCaller, fitsProvider, routesOfNumber } from './incoming-fit.ts';
import { called } from './walk.ts';

const MOST_TOLD = 20;

/** Routes that a call would take but for one thing: the provider, a switch, or the caller (contract 28.4). */
export function almostFitting({ callFlow, idleRoutes = [] }: House, call: SupposedCall): string[] {
  const { numbering } = callFlow;
  const told: string[] = [];
  for (const route of routesOfNumber(callFlow.incomingRoutes, call, numbering)) {
    const isProvider = fitsProvider(route, call);
    if (isProvider === fitsCaller(route, call, numbering)) continue;
    told.push(
      `route ${called(route.name, route.id)} is for ${isProvider ? 'other callers' : 'another provider'}`,
    );
  }
  for (const { route, reason } of idleRoutes) {
    if (!fitsProvider(route, call) || !fitsCaller(route, call, numbering)) continue;
    if (routesOfNumber([route], call, numbering).length === 0) continue;
    const why = reason === 'disabled' ? 'is switched off' : 'is for a provider that is not in service';
    told.push(`route ${called(route.name, route.id)} ${why}`);
  }
  const more = told.length - MOST_TOLD;
  return more > 0 ? [...told.slice(0, MOST_TOLD), `${more} more routes almost fit`] : told;
}
