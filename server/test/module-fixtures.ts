import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder of modules for a test, written to as an operator would copy modules there. */
export interface ModulesDir {
  readonly path: string;
  /** The setting that points the service at it. */
  readonly settings: Record<string, string>;
  /** Writes `module.json`, `index.js`, and any further `files`. */
  write(
    manifest: object | string,
    code?: string,
    files?: Record<string, string>,
    folder?: string,
  ): Promise<string>;
  remove(): Promise<void>;
}

export async function makeModulesDir(): Promise<ModulesDir> {
  const path = await mkdtemp(join(tmpdir(), 'pbxcore-modules-'));
  return {
    path,
    settings: { PBXCORE_MODULES_DIR: path },
    async write(manifest, code = 'export default { resources: [] };', files = {}, folder) {
      const id = typeof manifest === 'string' ? 'Text' : ((manifest as { id?: unknown }).id ?? 'NoId');
      const target = join(path, folder ?? String(id));
      const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
      for (const [name, content] of Object.entries({ 'module.json': text, 'index.js': code, ...files })) {
        await mkdir(dirname(join(target, name)), { recursive: true });
        await writeFile(join(target, name), content);
      }
      return target;
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

export const manifestOf = (id: string, more: object = {}): Record<string, unknown> => ({
  id,
  name: `The ${id}`,
  version: '1.0.0',
  developer: 'Somebody',
  generation: 3,
  main: 'index.js',
  slug: id.toLowerCase(),
  ...more,
});

export const manifestOfOlder = (
  id: string,
  generation: 1 | 2,
  more: object = {},
): Record<string, unknown> => {
  const { slug: _, ...rest } = manifestOf(id, { generation, ...more });
  return rest;
};

/** A module that keeps tasks in its own handlers, with every kind of route and channel. */
export const DEMO = `
const tasks = new Map();
let last = 0;
const path = '/pbxcore/api/v3/module-demo/';
export default {
  resources: [
    {
      path: path + 'tasks',
      permission: 'Demo tasks',
      channels: ['bearer_token'],
      id: '\\\\d{1,9}',
      fields: {
        title: { type: 'string', min: 1, max: 20, required: true },
        done: { type: 'boolean', default: false },
        weight: { type: 'integer', min: 1, max: 10, default: 5 },
        note: { type: 'string' },
        made: { type: 'string', readOnly: true },
      },
      list: () => [...tasks.values()],
      read: (call) => tasks.get(call.id),
      create(call) {
        const task = { id: String(++last), ...call.body, made: 'now' };
        tasks.set(task.id, task);
        return task;
      },
      update(call) {
        const task = { ...call.record, ...call.body };
        tasks.set(call.id, task);
        return task;
      },
      remove: (call) => void tasks.delete(call.id),
      actions: [
        { name: 'download', verb: 'GET', onItem: true, handle: (call) => ({ $pbxcore: 'answer', echo: call.record.title, headers: { 'Content-Type': 'text/plain' } }) },
        { name: 'start', verb: 'POST', onItem: true, handle: (call) => ({ started: call.id, sent: call.body }) },
        { name: 'count', verb: 'GET', query: { least: { type: 'integer', min: 0 } }, handle: (call) => ({ count: tasks.size, least: call.query.least ?? null }) },
        { name: 'sum', verb: 'POST', body: { numbers: { type: 'array', required: true } }, handle: (call) => ({ sum: call.body.numbers.reduce((a, b) => a + b, 0) }) },
      ],
    },
    {
      path: path + 'status',
      permission: 'Demo status',
      channels: ['localhost', 'bearer_token'],
      list: (call) => [{ channel: call.channel, caller: call.caller ?? null, headers: call.headers, address: call.address }],
      actions: [
        { name: 'hook', verb: 'POST', channels: ['public'], handle: (call) => ({ got: call.body, channel: call.channel, headers: call.headers }) },
        { name: 'local', verb: 'GET', channels: ['localhost'], handle: () => ({}) },
      ],
    },
    {
      path: path + 'notes',
      permission: 'Demo notes',
      channels: ['bearer_token'],
      stored: true,
      fields: {
        text: { type: 'string', max: 100, required: true, search: true },
        code: { type: 'string', max: 20, unique: true },
        stars: { type: 'integer', default: 1 },
      },
    },
  ],
};
`;
