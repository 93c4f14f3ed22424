import type { DesiredCallFlow } from '../../../engine/desired-call-flow.ts';
import { described, text, withDefault } from '../../../http/fields.ts';
import { reads, route } from '../../../http/route.ts';
import { createMadeOnce } from '../../../lib/made-once.ts';
import type { FlowFeature, FlowParts } from '../records/flow-feature.ts';
import { desiredRoutes } from './desired-outbound.ts';
import { OutboundTest, outboundResource } from './outbound-route.schema.ts';
import { outboundKind } from './outbound-route.ts';
import { testOutbound } from './outbound-test.ts';

const testQuery = {
  number: described(
    text({ min: 1, max: 80, pattern: { test: /^[0-9+*#]*$/, says: 'must be digits, + * # only' } }),
    'Number that is dialled',
  ),
  employee: described(
    withDefault(text({ max: 8 }), ''),
    'Number of the employee who dials; absent: no particular employee',
  ),
};

export function createOutboundRoutes({ telephony, declare }: FlowParts): FlowFeature {
  const { routes } = declare(outboundKind);
  const { directory, employees, providers, providerStatuses } = telephony;
  const madeOnce = createMadeOnce<Pick<DesiredCallFlow, 'outboundRoutes'>>();
  const stored = () => desiredRoutes(directory.records.all('outbound-routes'));

  const test = route({
    method: 'GET',
    path: '/outbound-routes:test',
    function: 'test',
    access: reads(outboundResource),
    summary: 'Test a number: what would be dialled, through which provider, and which number would be shown',
    query: testQuery,
    answer: OutboundTest,
    async handle({ query }) {
      const [known, { records }] = await Promise.all([
        providers.recent(),
        providerStatuses(),
        employees.settle(),
        directory.records.settle(),
      ]);
      const served = new Set(providers.inService().map(({ id }) => id));
      return testOutbound(query, {
        employees: employees.all(),
        holderOf: directory.holderOf,
        features: directory.reserved.features,
        routes: stored(),
        providers: known.map(({ id, description, disabled, fromuser }) => ({
          id,
          description,
          isDisabled: disabled,
          isInService: served.has(id),
          fromUser: fromuser,
          state: records[id]?.state ?? 'UNKNOWN',
        })),
      });
    },
  });

  return {
    routes: [test, ...routes],
    desired() {
      const ids = providers.inService().map(({ id }) => id);
      return madeOnce([directory.records.all('outbound-routes'), ids.join(' ')], () => {
        const served = new Set(ids);
        return { outboundRoutes: stored()?.filter(({ providerId }) => served.has(providerId)) };
      });
    },
  };
}
