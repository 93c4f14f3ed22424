import type { RouteRow } from '@pbxcore/module/description';
import type { TSchema } from 'typebox';
import { envelopedJson } from '../../http/answer.ts';
import { type Access, API_ROOT, type Call, type Channel, type Method, type Route } from '../../http/route.ts';
import { NotFound } from '../../lib/errors.ts';
import { must, shown } from '../description/broken-module.ts';
import type { FoundModule } from '../folder/module-folder.ts';
import type { Done } from '../line/protocol.ts';
import { callMessage } from './call-message.ts';
import { MODULE_DIALECT } from './module-dialect.ts';
import type { Send } from './resource-operations.ts';
import { specialAnswer } from './special-answer.ts';

const VERBS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const OLDER_MODULES = {
  label: 'Older modules',
  description: 'Add-on modules with callbacks or route tables',
};
export const CALLBACK_ROOT = '/pbxcore/api/modules';

interface LegacyParts {
  readonly found: FoundModule;
  readonly send: Send;
}

/** Generation 1: a single callback gets every action of the module (contract 9.3). */
export function callbackRoutes(
  { found, send }: LegacyParts,
  { handler, actions }: { handler: number; actions: readonly string[] | undefined },
): Route[] {
  const { id } = found.manifest;
  const paths = actions?.map((name) => ({ name, path: `${CALLBACK_ROOT}/${id}/${name}` })) ?? [
    { name: undefined, path: `${CALLBACK_ROOT}/${id}/{action}` },
  ];
  return paths.flatMap(({ name, path }) =>
    (['GET', 'POST'] as const).map((method) =>
      legacyRoute({ found, send, method, path, handler, channels: channelsOf(found), action: name }),
    ),
  );
}

/** Generation 2: the rows of the module's table (contract 9.3). */
export function tableRoutes(
  { found, send }: LegacyParts,
  rows: readonly { row: RouteRow; handler: number }[],
  isCorePath: (method: string, path: string) => boolean,
): Route[] {
  return rows.map(({ row, handler }) => {
    const { method, path, noAuth, action } = readRow(row);
    must(!isCorePath(method, path), `route ${shown(path)}: the exchange itself answers there`);
    // `noAuth` makes exactly that row public.
    const channels: readonly Channel[] = noAuth ? ['public'] : channelsOf(found);
    return legacyRoute({ found, send, method, path, handler, channels, action });
  });
}

function readRow(row: unknown): { method: Method; path: string; noAuth: boolean; action: string } {
  must(
    Array.isArray(row) && row.length >= 5,
    `route ${shown(row)}: [controller, method, path, verb, root, noAuth?]`,
  );
  const [, action, start, verb, root, noAuth = false] = row as unknown[];
  must(
    typeof start === 'string' && typeof root === 'string' && typeof action === 'string',
    `route ${shown(row)}: texts are missing`,
  );
  const method = String(verb).toUpperCase() as Method;
  must(VERBS.includes(method), `route ${shown(start)}: ${shown(verb)} is not one of ${VERBS.join(', ')}`);
  must(typeof noAuth === 'boolean', `route ${shown(start)}: noAuth must be true or false`);
  const path = (start + (root === '/' ? '' : root)).replace(/\/$/, '');
  const segment = '(?:[A-Za-z0-9._~:-]+|\\{[A-Za-z]\\w{0,30}\\})';
  must(
    new RegExp(`^/pbxcore/api(?:/${segment})+$`).test(path) &&
      path.length <= 255 &&
      !/\/\.{1,2}(\/|$)/.test(path),
    `route ${shown(path)}: must be plain segments below /pbxcore/api`,
  );
  const first = path.split('/')[3] ?? '';
  const reserved = first === 'v3' || first === 'modules' || first.startsWith('{');
  must(!reserved, `route ${shown(path)}: ${API_ROOT} and ${CALLBACK_ROOT} are not for route tables`);
  return { method, path, noAuth, action };
}

/** `localhost` only if the manifest declares it. */
const channelsOf = ({ manifest }: FoundModule): readonly Channel[] =>
  manifest.localhost ? ['localhost', 'bearer_token'] : ['bearer_token'];

interface LegacyRouteParts extends LegacyParts {
  readonly method: Method;
  readonly path: string;
  readonly handler: number;
  readonly channels: readonly Channel[];
  readonly action: string | undefined;
}

function legacyRoute({ found, send, method, path, handler, channels, action }: LegacyRouteParts): Route {
  const access: Access = {
    kind: 'channels',
    channels,
    level: method === 'GET' ? 'read' : 'write',
    // The verb of a callback does not show what it does.
    ownPagesOnly: true,
  };
  const module = { id: found.manifest.id, folder: found.folder };
  async function handle(call: Call) {
    const { params } = call;
    const name = action ?? params.action ?? '';
    const { raw = '', data = {} } = call.body as { raw?: string; data?: object };
    const message = callMessage(access, call, {
      // The query overrides the body.
      body: { ...data, ...(call.query as object) },
      legacy: { action: name, verb: method, rawBody: raw, params },
    });
    const done: Done = await send(handler, 'legacy', message, call.caller);
    for (const text of done.info) call.inform(String(text));
    for (const text of done.warning) call.warn(String(text));
    if (done.special) return specialAnswer(done.special, module);
    if (done.json === undefined)
      throw new NotFound(`action ${printable(name)} of module ${module.id} not found`);
    return envelopedJson(done.json);
  }
  return {
    method,
    path,
    outside: true,
    group: OLDER_MODULES,
    dialect: MODULE_DIALECT,
    function: action ?? 'callAction',
    access,
    summary: `${action ?? 'Any action'}: ${found.manifest.name}`,
    accepts: { raw: true, anyObject: true },
    wholeQuery: true,
    answer: {} as TSchema,
    produces: ['*/*'],
    errors: [404, 409, 422],
    handle,
  } as unknown as Route;
}

const printable = (name: string): string => JSON.stringify(name.slice(0, 64)).slice(1, -1);
