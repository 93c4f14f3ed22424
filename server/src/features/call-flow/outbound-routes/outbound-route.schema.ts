import Type from 'typebox';
import { SKIPPED } from '../../../engine/call-flow/outbound-plan.ts';
import {
  answersOf,
  boolean,
  described,
  type Field,
  FieldProblem,
  type Input,
  integer,
  oneOf,
  text,
  withDefault,
} from '../../../http/fields.ts';
import type { Resource } from '../../../http/route.ts';
import { CALL_CLASSES, callerIdField } from '../../../lib/caller-id.ts';
import { readBeginnings } from '../../../lib/outbound-number.ts';

export const outboundResource: Resource = {
  path: '/api/v3/outbound-routes',
  label: 'Outbound Routes',
  description: 'Which provider carries which outbound calls, which number it dials and which number it shows',
  levels: ['read', 'write'],
};

export const LAST_PRIORITY = 9999;
const ROUTE_CLASSES = CALL_CLASSES.filter((one) => one !== 'internal');

const line = text({ max: 64 });
/** Contract 23.2. */
const beginning: Field<string> = {
  ...line,
  schema: { ...line.schema, pattern: '^[0-9+*#XZN()|[\\]-]*$', examples: ['(7|8)'] },
  read(value) {
    const written = line.read(value);
    if (readBeginnings(written) === undefined)
      throw new FieldProblem('must be digits, X, N, Z, [sets] or (a|b)');
    return written;
  },
};

export const outboundFields = {
  rulename: described(text({ min: 1, max: 100 }), 'Name of the route'),
  note: withDefault(text({ max: 1024, whiteSpace: true }), ''),
  providerid: described(text({ min: 1, max: 80 }), 'Id of the provider that carries the call'),
  priority: described(
    withDefault(integer({ min: 0, max: LAST_PRIORITY }), 0),
    'Lower values are tried first; 0 on create: after all others',
  ),
  numberbeginswith: described(
    withDefault(beginning, ''),
    'How the number begins: digits, + * #, X (0-9), Z (1-9), N (2-9), sets like [78] or [0-4], alternatives (a|b); empty = any number',
  ),
  restnumbers: described(
    withDefault(integer({ min: -1, max: 20 }), -1),
    'How many digits follow; -1 = any number of digits',
  ),
  trimfrombegin: described(
    withDefault(integer({ min: 0, max: 30 }), 0),
    'How many digits to cut from the beginning',
  ),
  prepend: described(
    withDefault(text({ max: 20, pattern: { test: /^[0-9+*#]*$/, says: 'must be digits, + * # only' } }), ''),
    'Digits to put before the remaining number',
  ),
  callerid: described(
    withDefault(callerIdField, ''),
    'Number shown: digits with or without +, `anonymous`, or empty if the route sets none',
  ),
  callerid_forwarded: described(
    withDefault(oneOf(['caller', 'own']), 'caller'),
    'Number that a forwarded call from outside shows: that of the `caller`, or the `own` number of the one who forwards',
  ),
  call_class: described(
    withDefault(oneOf(ROUTE_CLASSES), 'national'),
    'Lowest class that an employee needs to dial over this route',
  ),
  disabled: withDefault(boolean, false),
};

export type OutboundValues = Required<Input<typeof outboundFields>> & Readonly<Record<string, unknown>>;

const represented = Type.String({ description: 'Readable text for people' });
const shared = {
  id: Type.String(),
  ...answersOf(outboundFields),
  providerid_represent: represented,
  provider_type: Type.String({ description: '`SIP`, or empty when the provider is gone' }),
  provider_disabled: Type.Boolean(),
  represent: represented,
};

export const OutboundRouteRecord = Type.Object(shared, { $id: 'OutboundRoute' });
export const OutboundRouteListItem = Type.Object(
  { ...shared, ruleDescription: Type.String({ description: 'Description of the route in one sentence' }) },
  { $id: 'OutboundRouteListItem' },
);

export const OutboundTest = Type.Object(
  {
    number: Type.String(),
    kind: Type.Enum(['internal', 'feature', 'emergency', 'outside', 'nobody']),
    allowed: Type.Boolean({ description: 'True if somebody would be rung' }),
    reason: Type.String({ description: 'Reason why the call is not allowed; empty when allowed' }),
    attempts: Type.Array(
      Type.Object({
        routeId: Type.String({ description: 'Empty: no route is used' }),
        rulename: Type.String(),
        providerid: Type.String(),
        provider: Type.String({ description: 'Name of the provider' }),
        state: Type.String({ description: 'State of the provider, as in its status' }),
        dials: Type.String({ description: 'Number that the provider is asked to call' }),
        callerid: Type.String({ description: 'Number shown; empty: as configured for the provider' }),
        skipped: Type.Enum([...SKIPPED], {
          description: 'Why the attempt is skipped; empty when it is made',
        }),
      }),
      { description: 'Attempts in order, as if each of them failed' },
    ),
  },
  { $id: 'OutboundTest' },
);
