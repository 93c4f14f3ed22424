import Type from 'typebox';
import type { Caller } from '../../../http/caller.ts';
import {
  custom,
  described,
  FieldProblem,
  integer,
  oneOf,
  optional,
  queryFlag,
  text,
  withDefault,
} from '../../../http/fields.ts';
import { pageFields, pageOf } from '../../../http/page.ts';
import { administratorOnly, type Resource, type Route, reads, route, writes } from '../../../http/route.ts';
import { LOG_LEVELS } from '../../../lib/log-line.ts';
import { LISTED_MODULE, MODULE_ID } from '../../../lib/module-id.ts';
import { type ModuleLogParts, moduleLog } from './module-log.ts';
import { ModuleCheck, ModuleFigures, ModuleLogLine, ModuleRecord, REASONS } from './modules.schema.ts';
import type { Modules } from './modules.service.ts';
import { shownConsent } from './shown-consent.ts';

export const moduleResource: Resource = {
  path: '/api/v3/modules',
  label: 'Modules',
  description: 'Add-on modules: what is installed, and which of them are on',
  levels: ['read', 'write'],
};

interface ModuleRouteParts {
  readonly modules: () => Modules;
  /** The caller's name for the log. */
  readonly nameOf: (caller: Caller | undefined) => Promise<string>;
  readonly log: ModuleLogParts;
  /** Of an uploaded archive. */
  readonly maxBytes: number;
}

export function moduleRoutes({ modules, nameOf, log, maxBytes }: ModuleRouteParts): Route[] {
  const id = { pattern: MODULE_ID, description: 'a letter, then letters and digits' };
  // For these nothing is stored under the requested id: it is looked up in the list.
  const listed = {
    pattern: LISTED_MODULE,
    description:
      'a letter, then letters and digits; or, as listed, the name of a folder that holds no module',
  };
  const item = {
    method: 'GET',
    access: reads(moduleResource),
    id: listed,
    find: (moduleId: string) => modules().read(moduleId),
    answer: ModuleRecord,
    handle: ({ found }: { found: unknown }) => found,
  } as const;
  const change = { access: writes(moduleResource), id, answer: ModuleRecord, errors: [409, 422] } as const;
  const exists = (moduleId: string) => modules().read(moduleId);

  return [
    route({
      method: 'GET',
      path: '/modules',
      function: 'getList',
      access: reads(moduleResource),
      summary: 'List the installed modules',
      query: pageFields,
      answer: Type.Array(ModuleRecord),
      handle: async ({ query }) => pageOf(await modules().list(), query),
    }),
    route({ ...item, path: '/modules/{id}', function: 'getRecord', summary: 'Read a module' }),
    route({
      ...item,
      path: '/modules/{id}:getModuleInfo',
      function: 'getModuleInfo',
      summary: 'Read a module (same as `GET /modules/{id}`)',
    }),
    route({
      method: 'POST',
      path: '/modules:install',
      function: 'install',
      access: administratorOnly,
      group: moduleResource,
      changes: moduleResource,
      summary: 'Install a module from a ZIP file',
      description:
        'A new module stays disabled. 409 when it is installed already and `replace` is not set; with it, a running module is restarted. 422 when the archive is refused, with the reason.',
      query: {
        replace: described(
          queryFlag(false),
          'Put it in the place of the installed one; data and settings stay',
        ),
      },
      accepts: { file: { type: 'application/zip', maxBytes } },
      body: { file: archive },
      status: 201,
      answer: ModuleRecord,
      errors: [409, 422],
      handle: async ({ body, query, caller }) => modules().install(body.file, query, await nameOf(caller)),
    }),
    route({
      ...change,
      method: 'POST',
      path: '/modules/{id}:enable',
      function: 'enable',
      summary: 'Start a module and publish its endpoints',
      description:
        'With `shown`, only what it lists is accepted; 409 when the module asks for more, or opens more without a key. Without `shown`, everything that the module asks for or opens at this start is accepted. Acts at once on this node, within seconds on others. 422 when the module cannot be started.',
      find: exists,
      body: {
        shown: described(
          optional(shownConsent),
          'The answer of `:check`, or `accepted` of the record; what else is in it is not looked at',
        ),
      },
      handle: async ({ id: moduleId, body, caller }) =>
        modules().enable(moduleId, await nameOf(caller), body.shown),
    }),
    route({
      ...change,
      method: 'POST',
      path: '/modules/{id}:disable',
      function: 'disable',
      summary: 'Disable a module',
      find: exists,
      body: {
        reason: withDefault(oneOf(REASONS), 'DisabledByUser'),
        reasonText: withDefault(text({ max: 500 }), ''),
      },
      async handle({ id: moduleId, body, caller }) {
        await modules().disable(moduleId, body.reason, body.reasonText, await nameOf(caller));
        return modules().read(moduleId);
      },
    }),
    route({
      ...change,
      method: 'POST',
      path: '/modules/{id}:restart',
      function: 'restart',
      summary: 'Restart an enabled module, after its files have changed',
      description:
        'On this node. If the module would read, change or do more, or open more without a key, than was accepted when it was enabled, it stays off and `disableReasonText` says why. 409 when it is disabled, 422 when it cannot be started.',
      find: exists,
      handle: async ({ id: moduleId, caller }) => modules().restart(moduleId, await nameOf(caller)),
    }),
    route({
      ...change,
      method: 'PATCH',
      id: listed,
      path: '/modules/{id}',
      function: 'patch',
      summary: 'Change settings of a module',
      description:
        'Only what is sent changes. A module that runs is started again with them; when it does not start it is 422 with the reason, and what was set before is kept.',
      find: exists,
      body: {
        settings: optional(custom({ type: 'object', additionalProperties: true }, settingsOf)),
        reset: described(
          optional(custom({ type: 'array', items: { type: 'string' } }, namesOf)),
          'Names of settings that shall have their defaults again',
        ),
      },
      ignoredFields: Object.keys(ModuleRecord.properties),
      handle: async ({ id: moduleId, body, caller }) =>
        modules().configure(moduleId, body, await nameOf(caller)),
    }),
    route({
      ...change,
      method: 'POST',
      id: listed,
      path: '/modules/{id}:check',
      function: 'check',
      summary: 'Show what a module would read, change, do and publish, before it is enabled',
      description:
        'Its code is loaded in a separate process, with secret settings at their defaults and without other data of the exchange, which ends as soon as the module has described itself. Of a module that was not started because it opens more than was accepted, what it described then is shown. 422 when it cannot be loaded, 503 when eight others wait for that already.',
      storesNothing: true,
      find: exists,
      answer: ModuleCheck,
      handle: ({ id: moduleId }) => modules().check(moduleId),
    }),
    route({
      method: 'DELETE',
      path: '/modules/{id}',
      function: 'delete',
      access: administratorOnly,
      group: moduleResource,
      changes: moduleResource,
      summary: 'Remove a module from this node',
      description:
        'It is ended first. What it stored and its settings stay for the day when it is installed again, unless `purge` is set. Sources of a module, and links, are not removed: 409. A broken folder that is listed by its name is removed by that name.',
      id: listed,
      query: { purge: described(queryFlag(false), 'Also everything that it stored, and its settings') },
      answer: Type.Object({ deleted_id: Type.String() }),
      errors: [404, 409],
      async handle({ id: moduleId, query, caller }) {
        await modules().remove(moduleId, query, await nameOf(caller));
        return { deleted_id: moduleId };
      },
    }),
    route({
      method: 'GET',
      path: '/modules:getFigures',
      function: 'getFigures',
      access: reads(moduleResource),
      summary:
        'Calls, errors, restarts, CPU and memory of each module since the service started, on this node',
      answer: Type.Array(ModuleFigures),
      handle: () =>
        modules()
          .figures()
          .map((figures) => ({
            ...figures,
            cpuSeconds: figures.cpuSeconds ?? null,
            memoryBytes: figures.memoryBytes ?? null,
          })),
    }),
    route({
      method: 'GET',
      path: '/modules/{id}:getLog',
      function: 'getLog',
      access: administratorOnly,
      group: moduleResource,
      summary: 'The last lines that a module logged, or that were logged about it, oldest first',
      description:
        'From this node since the service started: lines about the module among the last 2000 lines or megabyte of the log, and its own among the last 500 lines or quarter of a megabyte that all modules wrote. Works for a removed module too: the log says who removed it.',
      id: listed,
      query: {
        lines: described(withDefault(integer({ min: 1, max: 1000 }), 200), 'How many, of those that fit'),
        level: described(withDefault(oneOf(LOG_LEVELS), 'trace'), 'This level and what is worse'),
      },
      answer: Type.Array(ModuleLogLine),
      handle: ({ id: moduleId, query }) => moduleLog(log, moduleId, query),
    }),
  ];
}

const archive = custom<Buffer>({ type: 'string', format: 'binary' }, (value) => {
  if (!Buffer.isBuffer(value)) throw new FieldProblem('must be a ZIP file');
  return value;
});

function namesOf(value: unknown): string[] {
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string'))
    throw new FieldProblem('must be a list of names');
  return value;
}

function settingsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FieldProblem('must be an object');
  return value as Record<string, unknown>;
}
