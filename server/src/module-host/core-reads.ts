import type { Read } from '@pbxcore/module/description';
import { holds } from '../http/access.ts';
import { isAnswer, isEnveloped } from '../http/answer.ts';
import type { Caller } from '../http/caller.ts';
import type { Route } from '../http/route.ts';
import { runRoute } from '../http/run-route.ts';
import { Forbidden, NotFound } from '../lib/errors.ts';

/** What a module may ask for, where the core answers it, and which of the manifest's reads covers it. */
const QUESTIONS: Readonly<Record<string, { path: string; read: Read }>> = {
  employees: { path: '/employees', read: 'employees' },
  employee: { path: '/employees/{id}', read: 'employees' },
  providers: { path: '/sip-providers', read: 'providers' },
  calls: { path: '/cdr', read: 'calls' },
  employeeStatuses: { path: '/sip:getStatuses', read: 'statuses' },
  providerStatuses: { path: '/sip-providers:getStatuses', read: 'statuses' },
  activeCalls: { path: '/pbx-status:getActiveCalls', read: 'calls' },
};

/** A module waits for every answer it asked for. */
const NEVER = new AbortController().signal;

/**
 * Answers from the core's own GET routes, with the level they declare: in a request that of its caller, otherwise what
 * the manifest names and the operator accepted.
 */
export function createCoreReads({ routes }: { routes: () => readonly Route[] }) {
  return async function read(
    [what, query, named]: unknown[],
    rights: { readonly caller: Caller | undefined } | { readonly reads: readonly Read[] },
    asker: string,
  ): Promise<unknown> {
    const question = Object.hasOwn(QUESTIONS, String(what)) ? QUESTIONS[String(what)] : undefined;
    const route =
      question &&
      routes().find(({ method, path, outside }) => method === 'GET' && path === question.path && !outside);
    if (!question || !route || route.access.kind !== 'resource')
      throw new NotFound(`${String(what)} not found`);
    const { resource } = route.access;
    if ('reads' in rights) {
      if (!rights.reads.includes(question.read))
        throw new Forbidden(`module.json does not name ${question.read} among its reads`);
    } else if (!rights.caller || !holds(rights.caller, resource.path, 'read'))
      throw new Forbidden(`the caller does not hold read on ${resource.path}`);
    const id = String(named ?? '');
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

/** As they would stand in a URL. */
function texts(query: unknown): Record<string, string> {
  if (typeof query !== 'object' || query === null) return {};
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : [],
    ),
  );
}
