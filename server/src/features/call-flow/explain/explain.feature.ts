import { explainCall } from '../../../engine/call-flow/explain.ts';
import type { IdleRoute } from '../../../engine/call-flow/explanation.ts';
import type { DesiredCallFlow } from '../../../engine/desired-call-flow.ts';
import { reads, route } from '../../../http/route.ts';
import type { Clock } from '../../../lib/clock.ts';
import { NotFound } from '../../../lib/errors.ts';
import { localDateTime } from '../../../lib/local-time.ts';
import { createMadeOnce } from '../../../lib/made-once.ts';
import { incomingRouteResource } from '../incoming-routes/incoming-routes.feature.ts';
import { createCalendars } from '../off-work-times/calendars.ts';
import { goneRules } from '../off-work-times/desired-off-work.ts';
import type { OffWorkRecord } from '../off-work-times/off-work-values.ts';
import type { FlowFeature, FlowParts } from '../records/flow-feature.ts';
import { callQuery, ExplainedCall } from './explain.schema.ts';
import { extensionsOf, idleRoutesOf, presentOf, providersOf } from './stored-house.ts';

interface Needs {
  /** The desired state of the engine. */
  readonly desired: () => Promise<DesiredCallFlow>;
  readonly clock: Clock;
  /** Time zone of the exchange. */
  readonly timezone: string;
}

/** What would happen to a call, without making one (contract 28). */
export function createExplanations(
  { telephony, isSomebodys }: FlowParts,
  { desired, clock, timezone }: Needs,
): FlowFeature {
  const { directory, employees, providers } = telephony;
  const madeOnce = createMadeOnce<IdleRoute[]>();
  const calendars = createCalendars();

  const explain = route({
    method: 'GET',
    path: '/incoming-routes:explain',
    function: 'explain',
    access: reads(incomingRouteResource),
    summary: 'Explain what would happen to a call from outside that nobody answers, without making one',
    description:
      'With `at`, all phones are assumed to be registered and free, and overrides are ignored; without it, the present state counts. If the telephony engine cannot be asked, all phones are also assumed to be registered and free.',
    query: callQuery(timezone),
    answer: ExplainedCall,
    errors: [404],
    async handle({ query: { provider, number, caller, at, digits } }) {
      const [callFlow, stored, board] = await Promise.all([
        desired(),
        providers.recent(),
        at === undefined ? telephony.board.read() : undefined,
        employees.settle(),
      ]);
      if (provider !== '' && !stored.some(({ id }) => id === provider))
        throw new NotFound(`provider ${provider} not found`);
      const served = new Set(providers.inService().map(({ id }) => id));
      const isInService = (id: string) => served.has(id);
      const routes = directory.records.all('incoming-routes');
      const moment = at ?? clock.now();
      const { normalised, steps, rings, ends, warnings } = explainCall(
        {
          callFlow,
          extensions: extensionsOf(employees.all()),
          providers: providersOf(stored, isInService),
          idleRoutes: madeOnce([routes, [...served].join(' ')], () => idleRoutesOf(routes, isInService)),
          goneNumbers: (dialled) =>
            (directory.records.byNumber(dialled)?.inside ?? []).filter((named) => !isSomebodys(named)),
          goneRules: goneRules(directory.records.all('off-work-times') as readonly OffWorkRecord[], {
            timezone,
            calendars,
            now: clock.now(),
            isSomebodys,
          }),
          timezone,
        },
        {
          providerId: provider,
          number,
          caller,
          at: moment,
          entries: digits,
          isNow: at === undefined,
          present: board && presentOf(board, stored, { queues: callFlow.queues, now: moment }),
        },
      );
      const isUnasked = board !== undefined && board.engine !== 'up';
      return {
        at: localDateTime(moment, timezone),
        timezone,
        provider,
        number,
        normalised,
        caller,
        steps,
        rings,
        ends,
        warnings: isUnasked
          ? ['the telephony engine cannot be asked: all phones are taken as registered and free', ...warnings]
          : warnings,
      };
    },
  });

  return { routes: [explain] };
}
