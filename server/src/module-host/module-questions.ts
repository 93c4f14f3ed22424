import type { Caller } from '../http/caller.ts';
import { describeFailure } from '../http/failure.ts';
import { InvalidFields, NotFound } from '../lib/errors.ts';
import type { createCoreReads } from './core-reads.ts';
import { MAX_VALUE_BYTES } from './limits.ts';
import type { CheckedManifest } from './manifest.ts';
import type { StoredRecords } from './stored-records.ts';

/** Values of one module, by key; kept where every node sees them. */
export interface ValueRows {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  keys(prefix: string, limit: number): Promise<string[]>;
}

interface QuestionParts {
  readonly manifest: CheckedManifest;
  readonly values: ValueRows;
  readonly recordsOf: (resource: string) => StoredRecords | undefined;
  readonly readCore: ReturnType<typeof createCoreReads>;
}

const MAX_KEYS = 1_000;
const MAX_CHANGES = 1_000;

/** Answers what a module asks of the exchange. Whatever fails comes out with a status and reasons that it may see. */
export function createModuleQuestions({ manifest, values, recordsOf, readCore }: QuestionParts) {
  const { reads } = manifest;
  const questions: Record<
    string,
    (args: unknown[], during?: { caller: Caller | undefined }) => Promise<unknown>
  > = {
    core: (args, during) => readCore(args, during ?? { reads }, `module ${manifest.id}`),
    'store.get': async ([key]) => {
      const json = await values.get(keyOf(key));
      return json === undefined ? undefined : JSON.parse(json);
    },
    'store.set': ([key, value]) => values.set(keyOf(key), jsonOf(value)),
    'store.delete': ([key]) => values.delete(keyOf(key)),
    'store.keys': ([prefix]) => values.keys(String(prefix ?? '').slice(0, 255), MAX_KEYS),
    'records.list': async ([resource, query]) => {
      const { limit, offset, search } = (query ?? {}) as Record<string, unknown>;
      const page = {
        limit: Math.min(1000, Math.max(1, Math.trunc(Number(limit ?? 1000)) || 1)),
        offset: Math.max(0, Math.trunc(Number(offset ?? 0)) || 0),
        search: search === undefined ? undefined : String(search),
      };
      return named(resource).list(page);
    },
    'records.get': async ([resource, id]) => named(resource).get(String(id)),
    'records.find': async ([resource, field, value]) => named(resource).find(String(field), String(value)),
    'records.create': async ([resource, fields]) => {
      const records = named(resource);
      return records.create(records.checked(fields, 'create'));
    },
    'records.update': async ([resource, id, fields]) => {
      const records = named(resource);
      const changes = records.checked(fields, 'patch');
      return records.update(String(id), changes).catch((error: unknown) => {
        if (error instanceof NotFound) return undefined;
        throw error;
      });
    },
    'records.save': async ([resource, changes]) => {
      if (!Array.isArray(changes) || changes.length > MAX_CHANGES)
        throw new InvalidFields(`changes: must be a list of at most ${MAX_CHANGES}`);
      const outcomes = await named(resource).save(changes.map((change) => change ?? {}));
      return outcomes.map((outcome) => {
        if (typeof outcome === 'string') return { id: outcome };
        const { status, reasons } = describeFailure(outcome);
        return { status, reasons };
      });
    },
    'records.remove': async ([resource, id]) => named(resource).remove(String(id)),
  };

  function named(resource: unknown): StoredRecords {
    const records = recordsOf(String(resource));
    if (!records) throw new NotFound(`no stored resource ${String(resource).slice(0, 64)}: not found`);
    return records;
  }

  return async (what: string, args: unknown, during?: { caller: Caller | undefined }): Promise<unknown> => {
    try {
      const answer = Object.hasOwn(questions, what) ? questions[what] : undefined;
      if (!answer) throw new NotFound('no such question: not found');
      return await answer(Array.isArray(args) ? args : [], during);
    } catch (error) {
      const { status, reasons } = describeFailure(error);
      throw Object.assign(new Error(reasons.join('; '), { cause: error }), {
        status: status === 500 ? 503 : status,
        reasons,
      });
    }
  };
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
