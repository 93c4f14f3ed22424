import { custom, FieldProblem } from '../../../http/fields.ts';
import type { Accepted } from '../../../module-host/description/accepted-rights.ts';
import type { Endpoint } from '../../../module-host/description/open-routes.ts';
import { ModuleConsent } from './modules.schema.ts';

const RIGHTS = ['reads', 'writes', 'acts'] as const;
const CHANNELS: readonly unknown[] = ['localhost', 'bearer_token', 'public'];

/** What somebody was shown before enabling a module. */
export const shownConsent = custom<Accepted>({ ...ModuleConsent }, (value) => {
  if (!isObject(value)) throw new FieldProblem('must be an object');
  const { reads, writes, acts, endpoints } = value;
  if (!RIGHTS.every((right) => isListOfTexts(value[right])))
    throw new FieldProblem('must have a list of names for reads, writes and acts');
  if (!Array.isArray(endpoints) || !endpoints.every(isEndpoint))
    throw new FieldProblem('must have a list of verb, path and channels for endpoints');
  return { reads, writes, acts, endpoints } as Accepted;
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isListOfTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const isEndpoint = (value: unknown): value is Endpoint =>
  isObject(value) &&
  typeof value.verb === 'string' &&
  typeof value.path === 'string' &&
  Array.isArray(value.channels) &&
  value.channels.every((channel) => CHANNELS.includes(channel));
