import { InvalidFields, RuleBroken } from '../lib/errors.ts';
import { type Fields, readFields } from './fields.ts';
import { pageFields } from './page.ts';
import type { Call, Route } from './route.ts';

/** A call whose record and fields are not checked yet. */
export interface RawCall extends Omit<Call, 'query' | 'body' | 'found'> {
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The last steps of contract 1.1, for every kind of call: the record, the fields, and the handler. */
export async function runRoute(route: Route, raw: RawCall): Promise<unknown> {
  const found = await route.find?.(raw.id, raw); // 7
  const { query, body } = readRequest(route, raw, found); // 8
  const call: Call<never, never, never> = {
    caller: raw.caller,
    address: raw.address,
    headers: raw.headers,
    id: raw.id,
    params: raw.params,
    query: query as never,
    body: body as never,
    found: found as never,
    secure: raw.secure,
    get origin() {
      return raw.origin;
    },
    peer: raw.peer,
    asker: raw.asker,
    get signal() {
      return raw.signal;
    },
    warn: raw.warn,
    inform: raw.inform,
  };
  return route.handle(call); // 9 and 10 are up to the feature
}

function readRequest(route: Route, { query, body, warn }: RawCall, found: unknown) {
  const fromQuery = attempt(route.query ?? {}, query);
  const fromBody = route.accepts?.anyObject
    ? { values: body, unknown: [], problems: [] }
    : attempt(route.body ?? {}, body);
  const others = [...fromBody.problems, ...(route.check?.(body, found as never) ?? [])];
  const problems = [...fromQuery.problems, ...others];
  if (problems.length > 0) {
    // A wrong page is 400 on every list (contract 1.7), in every dialect.
    const { wrong } = fromQuery;
    const isPageOnly =
      others.length === 0 && wrong.length > 0 && wrong.every((name) => Object.hasOwn(pageFields, name));
    throw route.dialect?.refusesWith422 && !isPageOnly
      ? new RuleBroken(problems)
      : new InvalidFields(problems);
  }
  // Any other unknown field is ignored with a warning (contract 1.5).
  for (const name of fromBody.unknown) {
    if (!route.ignoredFields?.includes(name)) warn(`${printable(name)}: unknown field, ignored`);
  }
  return { query: route.wholeQuery ? query : fromQuery.values, body: fromBody.values };
}

/** Returns problems instead of throwing, so that all of a request are reported together (contract 1.3). */
function attempt(fields: Fields, sent: Readonly<Record<string, unknown>>) {
  try {
    return { ...readFields(fields, sent), problems: [], wrong: [] };
  } catch (error) {
    if (!(error instanceof InvalidFields)) throw error;
    return { values: {}, unknown: [], problems: error.reasons, wrong: error.fields };
  }
}

const printable = (name: string): string => JSON.stringify(name.slice(0, 64)).slice(1, -1);
