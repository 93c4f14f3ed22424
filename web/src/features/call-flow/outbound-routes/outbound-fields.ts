import type { OutboundRoute } from '@pbxcore/client';

/** Any number of digits may follow. */
export const ANY_REST = -1;

const FIELDS = [
  'rulename',
  'providerid',
  'numberbeginswith',
  'restnumbers',
  'trimfrombegin',
  'prepend',
  'callerid',
  'callerid_forwarded',
  'call_class',
  'disabled',
  'note',
] as const satisfies readonly (keyof OutboundRoute)[];

/** The editable fields, in the order of the form. */
export type OutboundFields = Pick<OutboundRoute, (typeof FIELDS)[number]>;

export const fieldsOf = (route: OutboundRoute): OutboundFields =>
  Object.fromEntries(FIELDS.map((name) => [name, route[name]])) as OutboundFields;
