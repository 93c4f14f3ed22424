import { openapiDocument } from '../../src/http/openapi.ts';
import { VERSION } from '../../src/version.ts';
import { createDocumentCheck } from '../acceptance/document-check.ts';
import { ADMIN_PASSWORD, type Answer, type TestApp } from '../make-app.ts';
import { createDice, type Dice } from './dice.ts';
import { hostileText, POLLUTED } from './hostile.ts';
import { createKnown } from './known.ts';
import {
  createRequestMaker,
  type FuzzOperation,
  type FuzzRequest,
  headerSafe,
  operationsOf,
} from './requests.ts';
import { createSender } from './sender.ts';
import { createValues } from './values.ts';

const API_ROOT = '/pbxcore/api/v3';
const CONNECTIONS = 6;
/** Extra requests that an operation gets in order to succeed once. */
const MORE = 50;
/** These would end the session that the rest of the run needs. */
const ENDS_SESSION = new Set(['auth_logout', 'auth_changePassword']);

/** Few for passwords, which are slow to check, and for operations without input; fewer deletions than creations. */
function turnsOf({ method, document: { operationId, parameters, requestBody } }: FuzzOperation): number {
  if (/_(login|changePassword)$/.test(operationId) || !(parameters || requestBody)) return 1;
  return method === 'DELETE' ? 2 : 4;
}

export interface FuzzResult {
  readonly statuses: Readonly<Record<string, number>>;
  readonly byOperation: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Operations that never succeeded. */
  readonly neverDone: readonly string[];
  readonly problems: readonly string[];
  readonly sent: number;
}

interface RunParts {
  readonly app: TestApp;
  readonly seed: number;
  readonly count: number;
  /** Operations that must succeed: one that has not by chance gets some more requests. */
  readonly wanted: readonly string[];
}

/** Requests every operation of the document in turn, until `count` requests are answered. */
export async function runFuzz({ app, seed, count, wanted }: RunParts): Promise<FuzzResult> {
  const document = openapiDocument(app.app.routes, VERSION);
  const operations = operationsOf(document);
  const turns = operations.flatMap((operation) => Array(turnsOf(operation)).fill(operation));
  const check = createDocumentCheck(app.app.routes);
  const credentials = await createCredentials(app);
  const { known, learn, forget } = createKnown({ spared: credentials.uses });
  const makeRequest = createRequestMaker({ values: createValues(seed), known });
  const { send, close } = createSender({ port: app.port, connections: CONNECTIONS });

  for (const { method, path, document: operation } of operations) {
    if (method !== 'GET' || !operation.operationId.endsWith('_getList')) continue;
    const list = await app.call('GET', path.replace(API_ROOT, ''), { token: await app.admin() });
    learn(path, list);
  }

  const statuses: Record<string, number> = {};
  const byOperation: Record<string, Record<string, number>> = {};
  const problems = new Map<string, string>();

  const isDone = ({ document: { operationId } }: FuzzOperation) =>
    Object.keys(byOperation[operationId] ?? {}).some((status) => status < '300');

  async function one(number: number, operation: FuzzOperation): Promise<void> {
    const dice = createDice(seed + number * 7919);
    const made = makeRequest(dice, operation);
    const request = { ...made, headers: { ...made.headers, ...credentials.draw(dice, made.operationId) } };
    try {
      const answer = await send(request);
      byOperation[made.operationId] ??= {};
      for (const counts of [statuses, byOperation[made.operationId] ?? {}])
        counts[answer.status] = (counts[answer.status] ?? 0) + 1;
      judge(request, answer, check);
      if (made.method !== 'DELETE') learn(operation.path, answer);
      else if (answer.status === 200) forget({ operationPath: operation.path, path: made.path });
    } catch (error) {
      const { message } = error as Error;
      const kind = `${made.operationId}: ${message.slice(0, 100)}`;
      if (!problems.has(kind)) problems.set(kind, `${message}\n  request ${number}: ${shown(request)}`);
    }
  }

  let next = 0;
  async function work(): Promise<void> {
    while (next < count) await one(next, turns[next++ % turns.length] as FuzzOperation);
  }
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
    for (const operation of operations.filter(({ document }) => wanted.includes(document.operationId)))
      for (let more = 0; more < MORE && !isDone(operation); more++) await one(next++, operation);
  } finally {
    close();
  }
  if (POLLUTED in {}) problems.set(POLLUTED, 'a request changed the prototype of all objects');
  const neverDone = operations
    .filter((operation) => !isDone(operation))
    .map(({ document }) => document.operationId);
  return { statuses, byOperation, neverDone, problems: [...problems.values()], sent: next };
}

function judge(
  { method, path, operationId }: FuzzRequest,
  answer: Answer,
  check: ReturnType<typeof createDocumentCheck>,
): void {
  const said = `${operationId} ${answer.status}: ${answer.text.slice(0, 300)}`;
  if (answer.status >= 500) throw new Error(said);
  if (answer.headers.has('x-injected')) throw new Error(`a header was injected; ${said}`);
  if (!answer.headers.has('x-request-id')) throw new Error(`not of our making; ${said}`);
  if (answer.status >= 400 && method !== 'HEAD') {
    // Also if the id made it a different path, one that the document does not describe.
    const isError = answer.body?.result === false && answer.body.httpCode === answer.status;
    if (!isError || answer.body.messages.error.length === 0)
      throw new Error(`not the shape of an error; ${said}`);
  }
  check(method, path.replace(API_ROOT, ''), answer);
}

const shown = ({ method, path, headers, body }: FuzzRequest): string =>
  `${method} ${path.slice(0, 600)} ${JSON.stringify(headers).slice(0, 300)} ${String(body ?? '').slice(0, 600)}`;

/** Mostly an administrator's credentials, so that most requests are admitted; otherwise weak, invalid or none. */
async function createCredentials(app: TestApp) {
  const admin = await app.admin();
  const full = await app.createKey({ full_permissions: true });
  const reader = await app.createKey({
    allowed_paths: { '/api/v3/employees': 'read', '/api/v3/cdr': 'read' },
  });
  const login = async () => {
    const body = { login: 'admin', password: ADMIN_PASSWORD };
    const answer = await app.call('POST', '/auth:login', { body });
    return {
      token: answer.body.data.accessToken,
      cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '',
    };
  };
  const throwaway = [await login(), await login(), await login()];

  function draw(dice: Dice, operationId: string): Record<string, string> {
    const spare = dice.pick(throwaway);
    if (operationId === 'auth_refresh' && dice.chance(0.4)) return { cookie: spare.cookie };
    const roll = dice.number(100);
    if (roll < 65) {
      return { authorization: `Bearer ${ENDS_SESSION.has(operationId) ? spare.token : admin}` };
    }
    if (roll < 78) return { 'x-api-key': full.key };
    if (roll < 88) return { authorization: `Bearer ${reader.key}` };
    if (roll < 92) return {};
    const text = headerSafe(hostileText(dice));
    return roll < 96
      ? { authorization: dice.pick([`Bearer ${text}`, text, `Basic ${text}`]) }
      : { 'x-api-key': text };
  }
  const uses = (resource: string, id: string) => resource === 'api-keys' && [full.id, reader.id].includes(id);
  return { draw, uses };
}
