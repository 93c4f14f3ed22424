import type { Read } from '@pbxcore/module/description';
import { holds } from '../../http/access.ts';
import { isAnswer, isEnveloped } from '../../http/answer.ts';
import type { Caller } from '../../http/caller.ts';
import type { Route } from '../../http/route.ts';
import { runRoute } from '../../http/run-route.ts';
import { Forbidden, NotFound } from '../../lib/errors.ts';
import { askedText } from './asked-text.ts';

interface Question {
  /** The core's route for it. */
  readonly path: string;
  /** The entry of the manifest's `reads` that covers it. */
  readonly read: Read;
  /** The answer of a new installation without data or calls; if absent, the record does not exist there. */
  readonly empty?: object;
}

/** What a module may ask for. */
const QUESTIONS: Readonly<Record<string, Question>> = {
  employees: {
    path: '/employees',
    read: 'employees',
    empty: { data: [], recordsTotal: 0, recordsFiltered: 0 },
  },
  employee: { path: '/employees/{id}', read: 'employees' },
  providers: { path: '/sip-providers', read: 'providers', empty: [] },
  calls: {
    path: '/cdr',
    read: 'calls',
    empty: { records: [], pagination: { total: 0, limit: 50, offset: 0, hasMore: false, lastId: null } },
  },
  employeeStatuses: { path: '/sip:getStatuses', read: 'statuses', empty: {} },
  providerStatuses: { path: '/sip-providers:getStatuses', read: 'statuses', empty: { sip: {}, iax: {} } },
  activeCalls: { path: '/pbx-status:getActiveCalls', read: 'calls', empty: [] },
};

/** Nothing cancels the request: the module waits for every answer. */
const NEVER = new AbortController().signal;

/**
 * Answers from the core's own GET routes, with the level they declare: inside a request, the caller's rights count,
 * otherwise what the manifest names and the operator accepted.
 */
export function createCoreReads({ routes }: { routes: () => readonly Route[] }) {
  return async function read(
    [what, query, named]: unknown[],
    rights: { readonly caller: Caller | undefined } | { readonly reads: readonly Read[] },
    asker: string,
  ): Promise<unknown> {
    const question = questionOf(what);
    const route = routes().find(
      ({ method, path, outside }) => method === 'GET' && path === question.path && !outside,
    );
    if (route?.access.kind !== 'resource') throw new NotFound(`${question.path} not found`);
    const { resource } = route.access;
    if ('reads' in rights) requireRead(question, rights.reads);
    else if (!rights.caller || !holds(rights.caller, resource.path, 'read'))
      throw new Forbidden(`the caller does not hold read on ${resource.path}`);
    const id = askedText(named, 'id');
    if (route.id && !route.id.pattern.test(id)) throw new NotFound(`record ${id.slice(0, 64)} not found`);
    const value = await runRoute(route, {
      caller: undefined,
      address: '127.0.0.1',
      headers: {},
      id,
      params: {},
      query: texts(query),
      body: {},
      secure: false,
      origin: undefined,
      peer: '127.0.0.1',
      asker,
      signal: NEVER,
      warn() {},
      inform() {},
    });
    if (isAnswer(value)) throw new NotFound('this is not data: not found');
    return isEnveloped(value) ? value.data : value;
  };
}

/** The same for a new installation, with the module's own rights. */
export function readNothing(what: unknown, reads: readonly Read[]): object {
  const question = questionOf(what);
  requireRead(question, reads);
  if (!question.empty) throw new NotFound('record not found');
  return question.empty;
}

/** The `data` of a new installation at this path; empty for a path that modules can only read by request. */
export const nothingAt = (path: string): object =>
  Object.values(QUESTIONS).find((question) => question.path === path)?.empty ?? {};

function questionOf(what: unknown): Question {
  const name = askedText(what, 'what');
  const question = Object.hasOwn(QUESTIONS, name) ? QUESTIONS[name] : undefined;
  if (!question) throw new NotFound(`${name.slice(0, 64)} not found`);
  return question;
}

function requireRead({ read }: Question, reads: readonly Read[]): void {
  if (!reads.includes(read)) throw new Forbidden(`module.json does not name ${read} among its reads`);
}

/** Values as they would appear in a URL. */
function texts(query: unknown): Record<string, string> {
  if (typeof query !== 'object' || query === null) return {};
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : [],
    ),
  );
}
