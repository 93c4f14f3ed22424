import Type from 'typebox';
import {
  custom,
  described,
  FieldProblem,
  oneOf,
  optional,
  queryFlag,
  text,
  withDefault,
} from '../../../http/fields.ts';
import { pageFields, pageOf } from '../../../http/page.ts';
import { administratorOnly, type Resource, type Route, reads, route, writes } from '../../../http/route.ts';
import type { DisableReason, Modules } from './modules.service.ts';

export const moduleResource: Resource = {
  path: '/api/v3/modules',
  label: 'Modules',
  description: 'Add-on modules: what is installed, and which of them are on',
  levels: ['read', 'write'],
};

const REASONS = [
  'DisabledByUser',
  'DisabledByException',
  'DisabledByCrashLoop',
] as const satisfies DisableReason[];

const Endpoint = Type.Object({
  verb: Type.String(),
  path: Type.String(),
  channels: Type.Array(Type.Enum(['localhost', 'bearer_token', 'public'])),
});
/** As `module.json` declares it. */
const SettingField = Type.Object(
  {
    type: Type.Enum(['string', 'integer', 'number', 'boolean', 'array', 'object']),
    description: Type.Optional(Type.String()),
    required: Type.Optional(Type.Boolean()),
    readOnly: Type.Optional(Type.Boolean()),
    default: Type.Optional(Type.Unknown()),
    min: Type.Optional(Type.Number()),
    max: Type.Optional(Type.Number()),
    pattern: Type.Optional(Type.String()),
    enum: Type.Optional(Type.Array(Type.String())),
    multiline: Type.Optional(Type.Boolean()),
    secret: Type.Optional(Type.Boolean({ description: 'Never shown again' })),
  },
  { additionalProperties: true },
);
const ModuleRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    version: Type.String(),
    developer: Type.String(),
    description: Type.String(),
    disabled: Type.Boolean(),
    disableReason: Type.String({ description: `Empty, or one of ${REASONS.join(', ')}` }),
    disableReasonText: Type.String(),
    min_pbx_version: Type.String(),
    generation: Type.Integer({ minimum: 1, maximum: 3 }),
    endpoints: Type.Array(Endpoint, { description: 'What it publishes now' }),
    reads: Type.Array(Type.String(), {
      description: 'What it reads on its own account; accepted by whoever enables it',
    }),
    settings: Type.Object({}, { additionalProperties: true, description: 'Secrets are masked' }),
    settingFields: Type.Record(Type.String(), SettingField, { description: 'What may be set, and how' }),
  },
  { $id: 'Module' },
);

interface ModuleRouteParts {
  readonly modules: () => Modules;
  /** Of an archive. */
  readonly maxBytes: number;
}

export function moduleRoutes({ modules, maxBytes }: ModuleRouteParts): Route[] {
  const id = { pattern: /^[A-Za-z][A-Za-z0-9]{0,63}$/, description: 'a letter, then letters and digits' };
  const item = {
    method: 'GET',
    access: reads(moduleResource),
    id,
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
      summary: 'Installed modules, by id',
      query: pageFields,
      answer: Type.Array(ModuleRecord),
      handle: async ({ query }) => pageOf(await modules().list(), query),
    }),
    route({ ...item, path: '/modules/{id}', function: 'getRecord', summary: 'One module' }),
    route({ ...item, path: '/modules/{id}:getModuleInfo', function: 'getModuleInfo', summary: 'One module' }),
    route({
      method: 'POST',
      path: '/modules:install',
      function: 'install',
      access: administratorOnly,
      group: moduleResource,
      changes: moduleResource,
      summary: 'Install a module from a ZIP file',
      description:
        'Nothing of it runs until it is enabled. 409 when it is installed already and `replace` is not set; with it, a module that runs is started anew. 422 when the archive is refused, with the reason.',
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
      handle: ({ body, query }) => modules().install(body.file, query),
    }),
    route({
      ...change,
      method: 'POST',
      path: '/modules/{id}:enable',
      function: 'enable',
      summary: 'Start a module and publish its endpoints',
      description:
        'Acts at once on this node, within seconds on others. 422 when the module cannot be started.',
      find: exists,
      handle: ({ id: moduleId }) => modules().enable(moduleId),
    }),
    route({
      ...change,
      method: 'POST',
      path: '/modules/{id}:disable',
      function: 'disable',
      summary: 'Take a module out of service',
      find: exists,
      body: {
        reason: withDefault(oneOf(REASONS), 'DisabledByUser'),
        reasonText: withDefault(text({ max: 500 }), ''),
      },
      async handle({ id: moduleId, body }) {
        await modules().disable(moduleId, body.reason, body.reasonText);
        return modules().read(moduleId);
      },
    }),
    route({
      ...change,
      method: 'PATCH',
      path: '/modules/{id}',
      function: 'patch',
      summary: 'Change settings of a module',
      description: 'Only what is sent changes. A module that runs is started again with them.',
      find: exists,
      body: { settings: optional(custom({ type: 'object', additionalProperties: true }, settingsOf)) },
      ignoredFields: Object.keys(ModuleRecord.properties),
      handle: ({ id: moduleId, body }) => modules().configure(moduleId, body.settings ?? {}),
    }),
  ];
}

const archive = custom<Buffer>({ type: 'string', format: 'binary' }, (value) => {
  if (!Buffer.isBuffer(value)) throw new FieldProblem('must be a ZIP file');
  return value;
});

function settingsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FieldProblem('must be an object');
  return value as Record<string, unknown>;
}
