import type { IncomingRoute } from '@pbxcore/client';

/** Always exists, after all others. */
export const DEFAULT_ROUTE = '1';
/** Any provider. */
export const ANY_PROVIDER = 'none';

const FIELDS = [
  'rulename',
  'number',
  'match',
  'providerid',
  'callers',
  'extension',
  'timeout',
  'audio_message_id',
  'did_to_extension',
  'disabled',
  'note',
] as const satisfies readonly (keyof IncomingRoute)[];

/** The editable fields, in the order of the form. */
export type RouteFields = Pick<IncomingRoute, (typeof FIELDS)[number]>;

export const fieldsOf = (route: IncomingRoute): RouteFields =>
  Object.fromEntries(FIELDS.map((name) => [name, route[name]])) as RouteFields;
