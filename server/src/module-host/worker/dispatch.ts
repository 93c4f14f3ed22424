import type { Call, Context, LegacyRequest } from '@pbxcore/module/description';
import { MAX_RESULT_BYTES, MAX_SPECIAL_HEADERS, MAX_SPECIAL_LENGTH } from '../line/message-sizes.ts';
import {
  type Done,
  type FromWorker,
  REFUSAL_STATUSES,
  type Special,
  type ToWorker,
} from '../line/protocol.ts';
import { MAX_MESSAGE_LENGTH, MAX_MESSAGES, texts } from '../line/texts.ts';
import { coreReads, textOf } from './context.ts';
import type { AnyHandler } from './describe.ts';
import type { Link } from './link.ts';
import { legacyResult, specialOf } from './special-result.ts';

type CallOrder = Extract<ToWorker, { t: 'call' }>;

/** Runs one handler and turns its outcome into a message. Never rejects. */
export async function runCall(
  order: CallOrder,
  handler: AnyHandler | undefined,
  context: Context,
  link: Link,
): Promise<FromWorker> {
  const { n } = order;
  const info: string[] = [];
  const warning: string[] = [];
  try {
    if (!handler) throw new Error('no such handler');
    if (order.as === 'name') {
      const name = await handler(order.call.id as never, context as never);
      return written(n, typeof name === 'string' ? name.slice(0, 100) : undefined, { info, warning });
    }
    const request =
      order.as === 'legacy' ? legacyRequest(order, link) : callOf(order, link, { info, warning });
    const result = await handler(request as never, context as never);
    return resultMessage(order, result, { info, warning });
  } catch (error) {
    const refusal = error as { $pbxcore?: unknown; status?: unknown; reasons?: unknown } | null;
    if (refusal?.$pbxcore === 'refusal' && REFUSAL_STATUSES.includes(Number(refusal.status))) {
      return { t: 'refused', n, status: Number(refusal.status), reasons: reasonsOf(refusal.reasons) };
    }
    return { t: 'threw', n, text: textOf(error) };
  }
}

function callOf({ n, call }: CallOrder, link: Link, said: { info: string[]; warning: string[] }): Call {
  const { record, legacy: _, raw, ...rest } = call;
  const bytes = raw === undefined ? undefined : Buffer.from(raw, 'latin1');
  return {
    ...rest,
    body: JSON.parse(rest.body),
    raw: bytes as Buffer,
    get text() {
      return bytes?.toString() as string;
    },
    record: record === undefined ? undefined : JSON.parse(record),
    core: coreReads(link, n),
    warn: (text) => say(said.warning, text),
    inform: (text) => say(said.info, text),
  };
}

function say(messages: string[], text: unknown): void {
  if (messages.length < MAX_MESSAGES) messages.push(String(text).slice(0, MAX_MESSAGE_LENGTH));
}

function legacyRequest({ n, call }: CallOrder, link: Link): LegacyRequest {
  const { headers, channel, caller, address, body } = call;
  const { action = '', verb = '', rawBody = '', params = {} } = call.legacy ?? {};
  const data: LegacyRequest['data'] = JSON.parse(body);
  return { action, data, rawBody, verb, params, headers, channel, caller, address, core: coreReads(link, n) };
}

type Said = { readonly info: readonly string[]; readonly warning: readonly string[] };

function resultMessage({ n, as, call }: CallOrder, result: unknown, said: Said): FromWorker {
  if (as === 'legacy') {
    const read = legacyResult(result);
    if (read.failure) return { t: 'refused', n, status: 422, reasons: reasonsOf(read.failure) };
    return done(n, read.data, { info: read.info, warning: read.warning }, read.special);
  }
  const special = specialOf(result);
  if (special) return done(n, {}, said, special);
  if (as === 'list') return listMessage(n, call, result, said);
  if (as === 'record' && (result === undefined || result === null))
    return { t: 'done', n, json: undefined, ...said };
  return done(n, result ?? {}, said);
}

/** An array is the whole list: the page is cut out of it before it is sent. */
function listMessage(n: number, call: CallOrder['call'], result: unknown, said: Said): FromWorker {
  const { limit, offset } = call;
  const page = result as { items?: unknown; total?: unknown } | null;
  if (Array.isArray(result)) {
    const items = result.slice(offset, limit === undefined ? undefined : offset + limit);
    return { ...done(n, items, said), count: items.length, total: result.length } as FromWorker;
  }
  if (!Array.isArray(page?.items) || !Number.isSafeInteger(page.total))
    return { t: 'unsendable', n, reason: 'its list is neither an array nor {items, total}' };
  const items = limit === undefined ? page.items : page.items.slice(0, limit);
  return { ...done(n, items, said), count: items.length, total: page.total as number } as FromWorker;
}

function done(n: number, data: unknown, said: Said, special?: Special): FromWorker {
  // Contract 1.2.
  if (data !== undefined && typeof data !== 'object')
    return { t: 'unsendable', n, reason: 'its answer is neither an object nor a list' };
  return written(n, data, said, special);
}

function written(n: number, data: unknown, said: Said, special?: Special): FromWorker {
  let json: string | undefined;
  try {
    json = data === undefined ? undefined : JSON.stringify(data);
  } catch {
    return { t: 'unsendable', n, reason: 'its answer cannot be written as JSON (does it contain itself?)' };
  }
  const size = (json?.length ?? 0) + (special?.text?.length ?? 0);
  if (size > MAX_RESULT_BYTES)
    return { t: 'unsendable', n, reason: `its answer is larger than ${MAX_RESULT_BYTES} bytes` };
  if (special && !isBounded(special))
    return { t: 'unsendable', n, reason: 'its answer has too many headers, or too long a name or address' };
  const message: Done = { t: 'done', n, json, ...said };
  return special ? { ...message, special } : message;
}

function isBounded({ text: _, headers = {}, ...rest }: Special): boolean {
  const values = Object.values(headers);
  const isShort = (one: string) => one.length <= MAX_SPECIAL_LENGTH;
  return values.length <= MAX_SPECIAL_HEADERS && [...values, ...Object.values(rest)].every(isShort);
}

function reasonsOf(given: unknown): string[] {
  const usable = texts(Array.isArray(given) ? given : [given]);
  return usable.length > 0 ? usable : ['refused by the module'];
}
