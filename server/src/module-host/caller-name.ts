import { NotFound } from '../lib/errors.ts';
import { shownText } from '../lib/shown-text.ts';
import { callMessage } from './routes/call-message.ts';
import type { Send } from './routes/resource-operations.ts';

const MAX_NAME = 100;
/** Length as JSON, where a letter may take six. The worker cuts names; only raw writes to the line are longer. */
const MAX_NAME_JSON = 1_000;

/** A module that looks up caller names. */
interface Asked {
  readonly send: Send;
  readonly handler: number;
}

/** The name that a module has for a number, if one answers in time. */
export async function askCallerName(
  modules: readonly Asked[],
  number: string,
  patienceMs: number,
): Promise<string | undefined> {
  if (modules.length === 0) return undefined;
  const asked = modules.map(({ send, handler }) => nameFrom(send, handler, number));
  const late = new Promise<never>((_, reject) => setTimeout(reject, patienceMs).unref());
  return Promise.race([Promise.any(asked), late]).catch(() => undefined);
}

async function nameFrom(send: Send, handler: number, number: string): Promise<string> {
  const nobody = { caller: undefined, address: '127.0.0.1', headers: {} };
  const call = callMessage({ kind: 'administrator' }, nobody, { id: number });
  const { json } = await send(handler, 'name', call, undefined);
  const given: unknown = json === undefined || json.length > MAX_NAME_JSON ? undefined : JSON.parse(json);
  // It is stored and shown like the name a caller gives for himself, and deserves no more trust.
  const name = typeof given === 'string' ? shownText(given, MAX_NAME) : '';
  if (name === '') throw new NotFound('not known: not found');
  return name;
}
