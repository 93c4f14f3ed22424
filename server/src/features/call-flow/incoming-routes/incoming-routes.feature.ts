import Type from 'typebox';
import type { Numbering } from '../../../engine/desired-call-flow.ts';
import { answersOf, described, optional, queryFlag, text } from '../../../http/fields.ts';
import { type Resource, reads, route } from '../../../http/route.ts';
import { createMadeOnce } from '../../../lib/made-once.ts';
import { isCutAway, readRouteNumber } from '../../../lib/route-number.ts';
import type { FlowFeature, FlowParts } from '../records/flow-feature.ts';
import type { FlowResource } from '../records/flow-resource.ts';
import { makeDefaultRoute } from './default-route.ts';
import { desiredIncomingRoutes } from './desired-incoming-routes.ts';
import {
  DEFAULT_PRIORITY,
  DEFAULT_ROUTE,
  type IncomingRoute,
  incomingRouteFields,
  LAST_PRIORITY,
} from './incoming-route-fields.ts';
import { toListItem, toRecord } from './incoming-route-view.ts';
import { uniqueDids } from './unique-dids.ts';

export const incomingRouteResource: Resource = {
  path: '/api/v3/incoming-routes',
  label: 'Incoming Routes',
  description: 'Where calls from outside go, depending on number, provider and caller',
  levels: ['read', 'write'],
};

const answers = {
  id: Type.String(),
  ...answersOf(incomingRouteFields),
  providerid_represent: Type.String(),
  provider_type: Type.Enum(['SIP', '']),
  provider_disabled: Type.Boolean(),
  extension_represent: Type.String(),
  audio_message_id_represent: Type.String(),
  search_index: Type.String(),
};
const Answer = Type.Object(answers, { $id: 'IncomingRoute' });
const ListItem = Type.Object({ ...answers, rule_represent: Type.String() }, { $id: 'IncomingRouteListItem' });
const Did = Type.Object(
  { value: Type.String(), name: Type.String(), lastSeen: Type.String(), calls: Type.Integer() },
  { $id: 'CalledNumber' },
);

const providerFilter = described(optional(text({ max: 100 })), 'Only for this provider');

const incomingRoutes = (numbering: Numbering): FlowResource<IncomingRoute> => ({
  kind: 'incoming-routes',
  resource: incomingRouteResource,
  fields: incomingRouteFields,
  ids: 'digits',
  nameField: 'rulename',
  lastPriority: LAST_PRIORITY,
  Record: Answer,
  ListItem,
  references: ({ extension, audio_message_id, providerid, from_setting }) => [
    {
      field: 'extension',
      named: 'target',
      name: extension,
      // M1: a target from the setting is not dialled outside.
      whenNobodys: extension === from_setting ? 'such calls are refused' : undefined,
    },
    { field: 'audio_message_id', named: 'sound', name: audio_message_id },
    { field: 'providerid', named: 'provider', name: providerid === 'none' ? '' : providerid },
  ],
  fixed(values, id) {
    // Only route 1 keeps the mark of the setting; a copy is the operator's own (M1).
    const { from_setting, ...own } = values;
    if (id !== DEFAULT_ROUTE) return { ...own, did_to_extension: false };
    return {
      ...values,
      priority: DEFAULT_PRIORITY,
      number: '',
      match: 'exact',
      providerid: 'none',
      callers: [],
      disabled: false,
    };
  },
  problems({ id, values: { extension, priority } }) {
    if (id === DEFAULT_ROUTE) return [];
    return [
      ...(extension === '' ? ['extension: must not be empty'] : []),
      ...(priority > LAST_PRIORITY ? [`priority: must be 0..${LAST_PRIORITY} (got ${priority})`] : []),
    ];
  },
  broken: ({ match, number }) =>
    match === 'ends' && !/^\d{4,}$/.test(number)
      ? ['match: "ends" needs a number of at least 4 digits and nothing else']
      : [],
  undeletable: ({ id }) => (id === DEFAULT_ROUTE ? 'the default route cannot be deleted' : undefined),
  keepsPriority: (id) => id === DEFAULT_ROUTE,
  isListed: ({ id }) => id !== DEFAULT_ROUTE,
  filters: { providerid: providerFilter },
  // A form field left empty asks for all.
  isWanted: ({ values }, { providerid = '' }) => providerid === '' || providerid === values.providerid,
  warnings: ({ number, callers }) => [
    ...(/^[A-Z]+$/.test(number) && readRouteNumber(number)?.kind === 'pattern'
      ? [`number: ${number} is a pattern of digits, not a name`]
      : []),
    ...callers.flatMap((caller, at) =>
      caller.endsWith('*') && isCutAway(caller.slice(0, -1), numbering)
        ? [`callers: [${at}]: ${caller} fits nobody, for numbers are compared without ${caller.slice(0, -1)}`]
        : [],
    ),
  ],
  toRecord,
  toListItem,
  searched: ({ values: { rulename, number, note, extension } }) => [rulename, number, note, extension],
  sortedBy: {
    priority: ({ priority }) => priority,
    number: ({ values }) => values.number,
    extension: ({ values }) => values.extension,
    rulename: ({ values }) => values.rulename,
  },
});

interface Needs {
  /** Value of the setting from which route 1 is created. */
  readonly inboundExtension: string | undefined;
  readonly numbering: Numbering;
  readonly warn: (text: string) => void;
}

/** Routes of calls from outside (contract 22). */
export function createIncomingRoutes(
  { telephony, look, isSomebodys, numbersNow, declare }: FlowParts,
  { inboundExtension, numbering, warn }: Needs,
): FlowFeature {
  const { directory, providers, calledNumbers } = telephony;
  const madeOnce = createMadeOnce<ReturnType<typeof desiredIncomingRoutes>>();
  const { service, routes } = declare(incomingRoutes(numbering));
  const stored = () => directory.records.all('incoming-routes');

  return {
    async prepare() {
      await makeDefaultRoute(directory, inboundExtension ?? '');
      const { extension } = (await service.find(DEFAULT_ROUTE)).values;
      // M2: read once, when the route was created.
      if (inboundExtension !== undefined && inboundExtension !== extension)
        warn(
          `PBXCORE_INBOUND_EXTENSION (${inboundExtension}) is not read any more: the default incoming route is in force, which leads ${extension === '' ? 'nowhere' : `to ${extension}`}`,
        );
    },

    routes: [
      ...routes,
      route({
        method: 'GET',
        path: '/incoming-routes:getDefaultRoute',
        function: 'getDefaultRoute',
        access: reads(incomingRouteResource),
        summary: 'Default route, for calls that no other route takes',
        answer: Answer,
        handle: async () => toRecord(await service.find(DEFAULT_ROUTE), await look()),
      }),
      route({
        method: 'GET',
        path: '/incoming-routes:getUniqueDIDs',
        function: 'getUniqueDIDs',
        access: reads(incomingRouteResource),
        summary: 'Numbers that were called from outside in the last 90 days, latest first',
        query: {
          providerid: providerFilter,
          unmatched: described(queryFlag(false), 'Only numbers that no route names'),
        },
        answer: Type.Array(Did),
        async handle({ query: { providerid = '', unmatched } }) {
          const known = await providers.recent();
          const concerned = known.filter(({ id }) => providerid === '' || id === providerid);
          const called = await calledNumbers(providerid);
          await directory.records.settle();
          return uniqueDids(called, {
            providerId: providerid,
            isUnmatched: unmatched,
            logins: new Set(concerned.map(({ username }) => username).filter((name) => name !== '')),
            routes: stored().map(({ values }) => values as IncomingRoute),
            numbering,
          });
        },
      }),
    ],

    desired() {
      const ids = providers.inService().map(({ id }) => id);
      return madeOnce([stored(), ids.join(' '), ...numbersNow()], () => {
        const inService = new Set(ids);
        return desiredIncomingRoutes(stored() as unknown as Parameters<typeof desiredIncomingRoutes>[0], {
          isInService: (id) => inService.has(id),
          isSomebodys,
        });
      });
    },
  };
}
