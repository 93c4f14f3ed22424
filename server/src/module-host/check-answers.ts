import { API_ROOT } from '../http/route.ts';
import { systemClock } from '../lib/clock.ts';
import { NotFound } from '../lib/errors.ts';
import { createDeclaredRecords } from './data/declared-records.ts';
import type { RecordRows, ValueRows } from './data/record-rows.ts';
import type { CheckedManifest } from './description/manifest.ts';
import { askedText } from './questions/asked-text.ts';
import { type CallDeeds, createCallActs } from './questions/call-acts.ts';
import { nothingAt, readNothing } from './questions/core-reads.ts';
import { createModuleQuestions } from './questions/module-questions.ts';

/** Answers a module's questions during a check, like a new installation. What it stores is discarded at once. */
export function createCheckAnswers(manifest: CheckedManifest) {
  const rows = createForgottenRows();
  const records = createDeclaredRecords({
    data: { rows: () => rows, published: () => () => rows, isMoving: () => false, described() {} },
    warn() {},
  });
  const ask = createModuleQuestions({
    manifest,
    data: { values: () => FORGOTTEN_VALUES, open: nothing, index: nothing, keep: nothing },
    recordsOf: records.of,
    core: {
      read: async ([what]) => readNothing(what, manifest.reads),
      request: async ([verb, path]) => ({
        status: 200,
        data: verb === 'GET' ? nothingAt(askedText(path, 'path').replace(API_ROOT, '')) : {},
        messages: { info: [], warning: [] },
        meta: {},
      }),
    },
    callActs: createCallActs({ deeds: NOBODY, clock: systemClock, log: () => () => {}, acted() {} }),
    warn() {},
  });
  return { ask, described: records.described, recordsOf: records.of };
}

const nothing = async () => undefined;

function createForgottenRows(): RecordRows {
  let last = 0;
  const nextId = () => String(++last);
  return {
    some: async () => ({ rows: [], hasMore: false, isCut: false }),
    count: async () => 0,
    get: nothing,
    find: nothing,
    insert: async () => nextId(),
    update: nothing,
    remove: async () => false,
    save: async (changes) =>
      changes.map(({ id }) => (id === undefined ? nextId() : new NotFound(`record ${id} not found`))),
  };
}

const FORGOTTEN_VALUES: ValueRows = {
  get: nothing,
  set: nothing,
  delete: nothing,
  keys: async () => [],
};

const NOBODY: CallDeeds = {
  async originate({ from }) {
    throw new NotFound(`extension ${from} not found`);
  },
  async hangUp(callId) {
    throw new NotFound(`call ${callId} not found`);
  },
  async transfer({ callId }) {
    throw new NotFound(`call ${callId} not found`);
  },
  isUnderWay: () => false,
};
