import Type from 'typebox';
import { LOG_LEVELS } from '../../../lib/log-line.ts';
import type { DisableReason } from './modules.service.ts';

export const REASONS = [
  'DisabledByUser',
  'DisabledByException',
  'DisabledByCrashLoop',
] as const satisfies DisableReason[];

const Endpoint = Type.Object({
  verb: Type.String(),
  path: Type.String(),
  channels: Type.Array(Type.Enum(['localhost', 'bearer_token', 'public'])),
});
const Consent = {
  reads: Type.Array(Type.String()),
  writes: Type.Array(Type.String()),
  acts: Type.Array(Type.String()),
};
/** What somebody accepts, or accepted; for `endpoints`, those that answer without a key. */
export const ModuleConsent = Type.Object(
  { ...Consent, endpoints: Type.Array(Endpoint) },
  { additionalProperties: true },
);
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
export const ModuleRecord = Type.Object(
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
    endpoints: Type.Array(Endpoint, { description: 'Endpoints that it publishes now' }),
    reads: Type.Array(Type.String(), {
      description: 'What it reads on its own account; accepted when it is enabled',
    }),
    writes: Type.Array(Type.String(), {
      description: 'Resources of the permission catalogue that it changes; accepted when it is enabled',
    }),
    acts: Type.Array(Type.String(), { description: 'What it does with calls, accepted like `reads`' }),
    accepted: Type.Optional(
      Type.Object(
        {
          ...Consent,
          endpoints: Type.Array(Endpoint, { description: 'Endpoints that answer without a key' }),
        },
        { description: 'What was accepted when it was last enabled; absent if it was never enabled' },
      ),
    ),
    settings: Type.Object({}, { additionalProperties: true, description: 'Secrets are masked' }),
    settingFields: Type.Record(Type.String(), SettingField, {
      description: 'The available settings and their rules',
    }),
    broken: Type.Optional(
      Type.Object(
        {
          reason: Type.String(),
          enabled: Type.Boolean({ description: 'It starts again once its folder is usable' }),
        },
        { description: 'Present only if its folder is missing or unusable' },
      ),
    ),
  },
  { $id: 'Module' },
);

/** What enabling the module accepts. */
export const ModuleCheck = Type.Object(
  {
    id: Type.String(),
    version: Type.String(),
    ...Consent,
    endpoints: Type.Array(Endpoint, { description: 'Endpoints that it would publish' }),
  },
  { $id: 'ModuleCheck' },
);

export const ModuleFigures = Type.Object(
  {
    id: Type.String(),
    isUp: Type.Boolean(),
    calls: Type.Integer({ description: 'Calls sent to it since the service started' }),
    errors: Type.Integer({ description: 'Calls that it answered with 500 or 503' }),
    restarts: Type.Integer({ description: 'Starts after a crash' }),
    acts: Type.Integer({
      description: 'Number of actions on phone calls that the exchange carried out for it',
    }),
    cpuSeconds: Type.Union([Type.Number(), Type.Null()], { description: 'Null if unknown' }),
    memoryBytes: Type.Union([Type.Integer(), Type.Null()], { description: 'Null if unknown' }),
  },
  { $id: 'ModuleFigures' },
);

export const ModuleLogLine = Type.Object({
  at: Type.String({ description: 'ISO 8601, UTC' }),
  level: Type.Enum([...LOG_LEVELS]),
  source: Type.Enum(['service']),
  author: Type.Optional(
    Type.String({
      description: 'Id of the module if the module wrote this line; absent if the exchange wrote it',
    }),
  ),
  text: Type.String(),
  fields: Type.Object({}, { additionalProperties: true }),
});
