import { CALL_CLASSES } from '../../../lib/caller-id.ts';
import type { FlowRecord } from '../../../lib/flow-record.ts';
import { coversOutbound, type OutboundNumberRule } from '../../../lib/outbound-number.ts';
import type { FlowResource } from '../records/flow-resource.ts';
import type { FlowView } from '../records/flow-view.ts';
import {
  LAST_PRIORITY,
  OutboundRouteListItem,
  OutboundRouteRecord,
  type OutboundValues,
  outboundFields,
  outboundResource,
} from './outbound-route.schema.ts';
import { describeRoute } from './rule-description.ts';

export type OutboundRoute = FlowRecord<OutboundValues>;

/** Outbound routes (contract 23). */
export const outboundKind: FlowResource<OutboundValues> = {
  kind: 'outbound-routes',
  resource: outboundResource,
  fields: outboundFields,
  ids: 'digits',
  nameField: 'rulename',
  lastPriority: LAST_PRIORITY,
  Record: OutboundRouteRecord,
  ListItem: OutboundRouteListItem,

  references: ({ providerid }) => [{ field: 'providerid', named: 'provider', name: providerid }],
  broken: ({ numberbeginswith, restnumbers }) =>
    numberbeginswith === '' && restnumbers === 0
      ? ['restnumbers: 0 with an empty numberbeginswith fits no number']
      : [],
  warnings: (values, view, before) => [
    ...(before === undefined && view.all('outbound-routes').length === 1
      ? ['from now on only outbound routes say what goes out']
      : []),
    ...aboveWarnings(values, view, before),
  ],
  goneWarnings: (view) =>
    view.all('outbound-routes').length > 0
      ? []
      : [
          'no outbound route is left: from now on every number goes out as dialled over all providers in service, from all but the call class internal',
        ],

  toRecord,
  toListItem: (route, view) => ({
    ...toRecord(route, view),
    ruleDescription: describeRoute(route.values, view.representProvider(route.values.providerid)),
  }),
  searched: ({ values }) => [values.rulename, values.numberbeginswith, values.prepend, values.note],
  sortedBy: {
    priority: ({ priority }) => priority,
    rulename: ({ name }) => name,
    numberbeginswith: ({ values }) => values.numberbeginswith,
  },
};

export const numberRuleOf = (values: OutboundValues): OutboundNumberRule => ({
  beginsWith: values.numberbeginswith,
  restDigits: values.restnumbers,
  trim: values.trimfrombegin,
  prepend: values.prepend,
});

/** In the order in which they are tried: by priority, then id. */
export const inTurn = (routes: readonly FlowRecord[]): OutboundRoute[] =>
  ([...routes] as OutboundRoute[]).sort((a, b) => a.priority - b.priority || Number(a.id) - Number(b.id));

function toRecord({ id, values }: OutboundRoute, view: FlowView): Readonly<Record<string, unknown>> {
  const provider = view.provider(values.providerid);
  return {
    id,
    ...values,
    providerid_represent: provider?.description ?? '',
    provider_type: provider ? 'SIP' : '',
    provider_disabled: provider?.disabled ?? false,
    represent: values.rulename,
  };
}

/** Warns of an earlier route that takes every number this one fits: this one is tried only if that one fails. */
function aboveWarnings(
  values: OutboundValues,
  view: FlowView,
  before: FlowRecord<OutboundValues> | undefined,
): string[] {
  if (values.disabled) return [];
  const routes = inTurn(view.all('outbound-routes'));
  const own = before?.id ?? newestLike(routes, values);
  const at = routes.findIndex(({ id }) => id === own);
  const above = routes
    .slice(0, Math.max(0, at))
    .find(
      ({ values: other }) =>
        !other.disabled &&
        view.provider(other.providerid)?.disabled === false &&
        CALL_CLASSES.indexOf(other.call_class) <= CALL_CLASSES.indexOf(values.call_class) &&
        coversOutbound(numberRuleOf(other), numberRuleOf(values)),
    );
  if (!above) return [];
  return [
    `outbound route "${above.name}" (${above.id}) above takes every number of this one, which is only tried when that fails`,
  ];
}

/** Id of the route just stored. */
function newestLike(routes: readonly OutboundRoute[], values: OutboundValues): string | undefined {
  const text = JSON.stringify(values);
  return routes
    .filter((route) => JSON.stringify(route.values) === text)
    .map(({ id }) => id)
    .sort((a, b) => Number(b) - Number(a))[0];
}
