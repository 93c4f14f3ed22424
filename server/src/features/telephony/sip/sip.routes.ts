import Type, { type Static } from 'typebox';
import { enveloped } from '../../../http/answer.ts';
import { described, queryFlag } from '../../../http/fields.ts';
import { type Resource, type Route, reads, route, writes } from '../../../http/route.ts';
import { isoWithOffset } from '../../../lib/local-time.ts';
import { EXTENSION_STATES } from './extension-status.ts';
import type { Known, Sip } from './sip.service.ts';

export const sipResource: Resource = {
  path: '/api/v3/sip',
  label: 'SIP',
  description: 'Phones of employees and registrations with providers: their state now',
  levels: ['read', 'write'],
};

const rtt = Type.Union([Type.Number(), Type.Null()], { description: 'Round-trip time in milliseconds' });
const ShortStatus = Type.Object(
  { extension: Type.String(), status: Type.Enum([...EXTENSION_STATES]) },
  { $id: 'ShortExtensionStatus' },
);
const FailedLogin = Type.Object({
  ip: Type.String(),
  since: Type.String(),
  reason: Type.Optional(
    Type.Literal('without TLS', {
      description:
        'The secret is correct, but `sip_transport` is `tls` and the phone uses UDP or TCP; otherwise absent',
    }),
  ),
});
const Status = Type.Object(
  {
    ...ShortStatus.properties,
    callerid: Type.String(),
    devices: Type.Array(
      Type.Object({ ip: Type.String(), port: Type.Integer(), user_agent: Type.String(), rtt }),
    ),
    rtt,
    failed_logins: Type.Optional(
      Type.Array(FailedLogin, {
        description:
          'Addresses from which logins as this extension fail, for instance of a phone with an old secret; latest first. An entry is kept until a login from there succeeds or none has been tried for an hour. Absent when there are none.',
      }),
    ),
  },
  { $id: 'ExtensionStatus' },
);
const Peer = Type.Object(
  {
    id: Type.String({ description: 'Extension number, or id of a provider' }),
    state: Type.Enum(['OK', 'UNKNOWN']),
    'detailed-state': Type.String(),
  },
  { $id: 'SipPeer' },
);
const Registration = Type.Object(
  {
    id: Type.String(),
    state: Type.String({ description: 'As in the status of the provider, in upper case' }),
    host: Type.String(),
    username: Type.String(),
  },
  { $id: 'SipRegistration' },
);

const port = Type.Integer({ minimum: 1, maximum: 65535 });
const Connection = Type.Object(
  {
    host: Type.String({ description: 'Address or name of the exchange' }),
    otherHosts: Type.Array(Type.String(), { description: 'Further addresses of the same machine' }),
    udp: port,
    tcp: port,
    tls: port,
    problem: Type.Union([Type.String(), Type.Null()], { description: 'Why no phone can register now' }),
  },
  { $id: 'SipConnection' },
);

const LOST = 'the telephony engine cannot be reached, so nothing is known';

interface RouteParts {
  readonly sip: Sip;
  readonly timezone: string;
  /** Where phones register. */
  readonly connection: () => Static<typeof Connection>;
}

export function sipRoutes({ sip, timezone, connection }: RouteParts): Route[] {
  const access = reads(sipResource);
  const extension = {
    id: { pattern: /^\d{2,8}$/, description: 'extension number' },
    find: sip.find,
    answer: Status,
  } as const;

  function answered(
    call: { warn(text: string): void },
    { data, asOf, isLost }: Known<object>,
    beside: { shared?: true } = {},
  ) {
    if (isLost) call.warn(LOST);
    return enveloped(data, { meta: { asOf: isoWithOffset(asOf, timezone) }, ...beside });
  }

  return [
    route({
      method: 'GET',
      path: '/sip:getStatuses',
      function: 'getStatuses',
      access,
      summary: 'Reachability of the employees, by extension number',
      query: {
        simplified: described(queryFlag(false), 'Return only `extension` and `status` of each employee'),
      },
      answer: Type.Union([Type.Record(Type.String(), Status), Type.Record(Type.String(), ShortStatus)]),
      handle: async (call) => answered(call, await sip.statuses(call.query.simplified), { shared: true }),
    }),
    route({
      method: 'GET',
      path: '/sip/{id}:getStatus',
      function: 'getStatus',
      access,
      summary: 'Reachability of an employee',
      ...extension,
      handle: async (call) => answered(call, await sip.statusOf(call.found)),
    }),
    route({
      method: 'POST',
      path: '/sip/{id}:forceCheck',
      function: 'forceCheck',
      storesNothing: true,
      access: writes(sipResource),
      summary: 'Check the reachability of an employee now',
      ...extension,
      async handle(call) {
        const isFresh = await sip.refresh();
        const known = await sip.statusOf(call.found);
        if (!isFresh && !known.isLost)
          call.warn('the telephony engine cannot be asked now; this is its last known state');
        return answered(call, known);
      },
    }),
    route({
      method: 'GET',
      path: '/sip:getPeersStatuses',
      function: 'getPeersStatuses',
      access,
      summary: 'Phones of employees and providers, in one list',
      answer: Type.Array(Peer),
      handle: async (call) => answered(call, await sip.peers()),
    }),
    route({
      method: 'GET',
      path: '/sip:getRegistry',
      function: 'getRegistry',
      access,
      summary: 'Registrations with providers',
      answer: Type.Array(Registration),
      handle: async (call) => answered(call, await sip.registry()),
    }),
    route({
      method: 'GET',
      path: '/sip:getConnection',
      function: 'getConnection',
      access,
      summary: 'Address and port of each transport that phones register with',
      answer: Connection,
      handle: connection,
    }),
  ];
}
