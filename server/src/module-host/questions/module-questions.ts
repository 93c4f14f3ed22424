import {
  CUT_KEYS,
  MAX_CHANGES,
  MAX_KEYS,
  MAX_LIST_BYTES,
  MAX_QUESTION_BYTES,
  MAX_VALUE_BYTES,
} from '@pbxcore/module/fields';
import { describeFailure } from '../../http/failure.ts';
import { InvalidFields, ModuleAway, NotFound, RuleBroken } from '../../lib/errors.ts';
import { jsonOfMany } from '../../lib/in-pieces.ts';
import { MAX_JSON_DEPTH, shapeOf } from '../../lib/json-depth.ts';
import type { ModuleData } from '../data/module-data.ts';
import type { StoredRecords } from '../data/stored-records.ts';
import type { CheckedManifest } from '../description/manifest.ts';
import type { AnswerQuestion, During } from '../process/worker-listener.ts';
import { askedText } from './asked-text.ts';
import type { CallActs } from './call-acts.ts';
import type { CoreAccess } from './core-access.ts';
import { payForJson } from './paid-json.ts';
import { createQuestionBudget, QUESTION_LIMITS, type QuestionLimits } from './question-budget.ts';

type Answerer = (args: unknown[], during: During, isGone: () => boolean) => Promise<unknown>;

interface QuestionParts {
  readonly manifest: CheckedManifest;
  readonly data: Pick<ModuleData, 'values' | 'open' | 'index' | 'keep'>;
  readonly recordsOf: (resource: string) => StoredRecords | undefined;
  readonly core: ReturnType<CoreAccess['of']>;
  readonly callActs: CallActs;
  readonly warn: (text: string) => void;
  readonly limits?: QuestionLimits;
}

/** The depth of a request, plus the arguments, the list and the change that `records.save` wraps around it. */
const MAX_ASKED_DEPTH = MAX_JSON_DEPTH + 3;
/** An answer of the core: a list of records and what surrounds it. */
const MAX_REPLY_BYTES = 2 * MAX_LIST_BYTES;

/** Answers read from the store in one go. For lists, the records are counted instead. */
const ONE_RECORD = new Set(['records.get', 'records.find', 'records.create', 'records.update']);
const FEW_BYTES = 16 * 1024;
const ANY_SHAPE = { depth: Infinity, values: Infinity };

/** An answer that is JSON already. */
class Written {
  readonly json: string;
  constructor(json: string) {
    this.json = json;
  }
}

async function writtenList({ items, ...rest }: { readonly items: readonly object[] }): Promise<Written> {
  const around = JSON.stringify({ ...rest, items: [] });
  return new Written(`${around.slice(0, -2)}${await jsonOfMany(items)}]}`);
}

/** Answers a module's questions to the exchange. Errors become a status and reasons that the module may see. */
export function createModuleQuestions({
  manifest,
  data,
  recordsOf,
  core,
  callActs,
  warn,
  limits = QUESTION_LIMITS,
}: QuestionParts): AnswerQuestion {
  const { reads } = manifest;
  const budget = createQuestionBudget(limits);
  const charge = (count: number) => budget.charge({ questions: count });
  let hasWarned = false;
  const questions: Record<string, Answerer> = {
    'data.open': () => data.open(),
    'data.index': () => data.index(),
    'data.keep': () => data.keep(),
    core: (args, during) => core.read(args, during ?? { reads }, `module ${manifest.id}`),
    'core.request': (args, during, isGone) =>
      core.request(args, { during, isGone, charge, chargeJson: budget.chargeJson }),
    'calls.originate': ([order]) => callActs.originate(manifest, order),
    'calls.hangup': ([callId]) => callActs.hangup(manifest, callId),
    'calls.transfer': ([callId, to, options]) => callActs.transfer(manifest, callId, to, options),
    'store.get': async ([key]) => {
      const json = await data.values().get(keyOf(key));
      return json === undefined ? undefined : new Written(json);
    },
    'store.set': ([key, value]) => data.values().set(keyOf(key), jsonOf(value)),
    'store.delete': ([key]) => data.values().delete(keyOf(key)),
    'store.keys': async ([prefix, after]) => {
      const part = (text: unknown, name: string) => askedText(text, name).slice(0, 255);
      const wanted = { prefix: part(prefix, 'prefix'), after: part(after, 'after') };
      const keys = await data.values().keys({ ...wanted, limit: MAX_KEYS + 1 });
      const isCut = keys.length > MAX_KEYS;
      if (isCut && !hasWarned) warn(CUT_KEYS);
      hasWarned ||= isCut;
      return keys.slice(0, MAX_KEYS);
    },
    'records.list': async ([resource, query]) => {
      const page = await named(resource).list(textsOf(query, ['limit', 'offset', 'search']));
      budget.charge({ records: page.items.length });
      return writtenList(page);
    },
    'records.following': async ([resource, query]) => {
      const { after, search } = textsOf(query, ['after', 'search']);
      const part = await named(resource).following({ after, search });
      budget.charge({ records: part.items.length });
      return writtenList(part);
    },
    'records.get': async ([resource, id]) => named(resource).get(askedText(id, 'id')),
    'records.find': async ([resource, field, value]) =>
      named(resource).find(askedText(field, 'field'), askedText(value, 'value')),
    'records.create': async ([resource, fields]) => {
      const records = named(resource);
      budget.charge({ records: records.writeCost });
      return records.create(records.checked(fields, 'create'));
    },
    'records.update': async ([resource, id, fields]) => {
      const records = named(resource);
      const changes = records.checked(fields, 'patch');
      budget.charge({ records: records.writeCost });
      return records.update(askedText(id, 'id'), changes).catch((error: unknown) => {
        if (error instanceof NotFound) return undefined;
        throw error;
      });
    },
    'records.save': async ([resource, changes]) => {
      if (!Array.isArray(changes) || changes.length > MAX_CHANGES)
        throw new InvalidFields(`changes: must be a list of at most ${MAX_CHANGES}`);
      const records = named(resource);
      budget.charge({ records: records.writeCost * changes.length });
      const outcomes = await records.save(
        changes.map((change) => ({
          id: change?.id == null ? undefined : askedText(change.id, 'id'),
          fields: change?.fields,
        })),
      );
      return outcomes.map((outcome) => {
        if (typeof outcome === 'string') return { id: outcome };
        const { status, reasons } = describeFailure(outcome);
        return { status, reasons };
      });
    },
    'records.remove': async ([resource, id]) => named(resource).remove(askedText(id, 'id')),
  };

  function named(resource: unknown): StoredRecords {
    const name = askedText(resource, 'resource');
    const records = recordsOf(name);
    if (!records) throw new NotFound(`no stored resource ${name.slice(0, 64)}: not found`);
    return records;
  }

  async function answer(what: string, json: string, during: During, isGone: () => boolean): Promise<string> {
    if (json.length > MAX_QUESTION_BYTES)
      throw new RuleBroken(`more than ${MAX_QUESTION_BYTES} bytes at once`);
    return budget.run(json.length, async () => {
      const found = Object.hasOwn(questions, what) ? questions[what] : undefined;
      if (!found) throw new NotFound('unknown request: not found');
      // The module ended while it waited: data written now belong to the next process and may have been moved.
      if (isGone()) throw new ModuleAway(`module ${manifest.id} has ended`);
      payForJson(Buffer.from(json), { name: '', mostDepth: MAX_ASKED_DEPTH, chargeJson: budget.chargeJson });
      const value = await found(listOf(json), during, isGone);
      const reply = value instanceof Written ? value.json : value === undefined ? '' : JSON.stringify(value);
      if (ONE_RECORD.has(what) && reply.length > FEW_BYTES)
        budget.chargeJson({ bytes: reply.length, values: shapeOf(Buffer.from(reply), ANY_SHAPE).values });
      else budget.charge({ bytes: reply.length });
      if (reply.length > MAX_REPLY_BYTES)
        throw new RuleBroken(`the answer is larger than ${MAX_REPLY_BYTES} bytes, ask for less`);
      return reply;
    });
  }

  return async (what, json, during, isGone = () => false) => {
    try {
      return { t: 'reply', json: await answer(what, json, during, isGone) };
    } catch (error) {
      const { status, reasons } = describeFailure(error);
      if (status === 500) warn(`the exchange could not answer ${what.slice(0, 64)}: ${String(error)}`);
      return { t: 'refusal', status: status === 500 ? 503 : status, reasons };
    }
  };
}

function listOf(json: string): unknown[] {
  try {
    const args: unknown = JSON.parse(json);
    return Array.isArray(args) ? args : [];
  } catch {
    return [];
  }
}

/** Those of the named texts that a list query contains. */
function textsOf(query: unknown, names: readonly string[]): Record<string, string | undefined> {
  const given = (query ?? {}) as Record<string, unknown>;
  const known = names.filter((name) => given[name] !== undefined && given[name] !== null);
  return Object.fromEntries(known.map((name) => [name, askedText(given[name], name)]));
}

function keyOf(key: unknown): string {
  if (typeof key !== 'string' || key === '' || key.length > 255 || !key.isWellFormed() || key.includes('\0'))
    throw new InvalidFields('key: must be a text of 1..255 characters');
  return key;
}

function jsonOf(value: unknown): string {
  const json = JSON.stringify(value ?? null);
  if (json.length > MAX_VALUE_BYTES) throw new InvalidFields(`value: at most ${MAX_VALUE_BYTES} bytes`);
  return json;
}
