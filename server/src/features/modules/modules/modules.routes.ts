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
  description: 'Add-on modules: which are installed, and which of them are enabled',
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
      'a letter, then letters and digits; or the name, as listed, of a folder that is not a module',
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
        'A new module stays disabled. 409 when the module is already installed and `replace` is not set; with `replace`, a running module is restarted. 422 with the reason when the archive is refused.',
      query: {
        replace: described(queryFlag(false), 'Replace the installed module; its data and settings are kept'),
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
        'With `shown`, only what it lists is accepted; 409 when the module asks for more, or opens more without a key. Without `shown`, everything that the module asks for or opens at this start is accepted. Takes effect at once on this node and within seconds on the others. 422 when the module cannot be started.',
      find: exists,
      body: {
        shown: described(
          optional(shownConsent),
          'The answer of `:check`, or `accepted` of the record; any other fields in it are ignored',
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
        'Restarts it on this node only. If the module would read, change or do more, or open more without a key, than was accepted when it was enabled, it stays off and `disableReasonText` gives the reason. 409 when it is disabled, 422 when it cannot be started.',
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
        'Only the settings that are sent change. A running module is restarted with them; if it does not start, the answer is 422 with the reason, and the previous settings are kept.',
      find: exists,
      body: {
        settings: optional(custom({ type: 'object', additionalProperties: true }, settingsOf)),
        reset: described(
          optional(custom({ type: 'array', items: { type: 'string' } }, namesOf)),
          'Names of settings to reset to their defaults',
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
        'Loads its code in a separate process, with secret settings at their defaults and without other data of the exchange; the process ends as soon as the module has described itself. For a module that was not started because it opens more than was accepted, the description from that attempt is shown. 422 when the module cannot be loaded, 503 when eight other checks are already waiting.',
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
        'The module is stopped first. Its data and settings are kept in case it is installed again, unless `purge` is set. A folder with the sources of a module, or a link, is not removed: 409. To remove a broken folder that is listed by its name, use that name as the id.',
      id: listed,
      query: { purge: described(queryFlag(false), 'Also remove all data of the module and its settings') },
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
      summary: 'Last lines logged by or about a module, oldest first',
      description:
        'Covers this node since the service started: lines about the module among the last 2000 lines or megabyte of the log, and its own lines among the last 500 lines or quarter of a megabyte that all modules wrote. Works for a removed module too: the log shows who removed it.',
      id: listed,
      query: {
        lines: described(
          withDefault(integer({ min: 1, max: 1000 }), 200),
          'Maximum number of matching lines; the latest are returned',
        ),
        level: described(withDefault(oneOf(LOG_LEVELS), 'trace'), 'This level and more severe ones'),
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
