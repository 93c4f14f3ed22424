import Type from 'typebox';
import { LOG_LEVELS, LOG_SOURCES } from '../../../lib/log-line.ts';

const count = Type.Integer({ minimum: 0 });
const bytes = Type.Integer({ minimum: 0 });

const Store = Type.Object({
  name: Type.Enum(['database', 'expiring keys']),
  kind: Type.Enum(['sqlite', 'postgres', 'embedded', 'redis']),
  reachable: Type.Boolean({ description: 'It answers and accepts writes' }),
  sizeBytes: Type.Union([bytes, Type.Null()], { description: '`null`: unknown' }),
});

const Engine = Type.Object(
  {
    state: Type.Enum(['looking', 'fetching', 'starting', 'up', 'away', 'none', 'stopped', 'unattended']),
    since: Type.Optional(Type.String({ description: 'When this state began, ISO 8601' })),
    installation: Type.Optional(
      Type.Object({
        kind: Type.String(),
        where: Type.String(),
        version: Type.String(),
        fetchedAt: Type.Optional(Type.String()),
      }),
    ),
    pid: Type.Optional(Type.Integer()),
    isAdopted: Type.Optional(Type.Boolean({ description: 'It was started by an earlier service' })),
    appliedAt: Type.Optional(
      Type.String({ description: 'It serves the configuration that was stored at this time' }),
    ),
    fetch: Type.Optional(
      Type.Object({
        step: Type.String(),
        doneMb: Type.Number(),
        totalMb: Type.Union([Type.Number(), Type.Null()]),
        seconds: Type.Number(),
      }),
    ),
    lastError: Type.Optional(Type.String()),
    restarts: count,
    waiting: Type.Optional(
      Type.Object(
        { version: Type.String(), fetchedAt: Type.String() },
        { description: 'Downloaded; in use after the next start of the service' },
      ),
    ),
  },
  { description: 'As `pbxcore engine status --json` shows it' },
);

const Finding = Type.Object({
  id: Type.String({ description: 'The check that reported it; several findings may have the same id' }),
  level: Type.Enum(['ok', 'warning', 'problem']),
  text: Type.String(),
  remedy: Type.Union([Type.String(), Type.Null()]),
});

export const SystemInfo = Type.Object(
  {
    version: Type.String(),
    node: Type.String(),
    uptimeSeconds: count,
    startedAt: Type.String(),
    stores: Type.Array(Store),
    engine: Engine,
    data: Type.Object({ path: Type.String(), freeBytes: bytes, totalBytes: bytes }),
    clock: Type.Object({ now: Type.String(), timezone: Type.String() }),
    findings: Type.Array(Finding, { description: 'What `pbxcore doctor` finds' }),
    records: Type.Union(
      [
        Type.Object({
          employees: count,
          sipProviders: count,
          calls: count,
          networkFilters: count,
          apiKeys: count,
          moduleRecords: count,
          bans: count,
        }),
        Type.Null(),
      ],
      { description: '`null` while the database does not answer' },
    ),
  },
  { $id: 'SystemInfo' },
);

export const LogLines = Type.Array(
  Type.Object(
    {
      at: Type.String({ description: 'ISO 8601, UTC' }),
      level: Type.Enum([...LOG_LEVELS]),
      source: Type.Enum([...LOG_SOURCES]),
      author: Type.Optional(
        Type.String({
          description: 'Id of the module that wrote this line; absent if the service or the engine wrote it',
        }),
      ),
      text: Type.String(),
      fields: Type.Object({}, { additionalProperties: true, description: 'Values logged with the text' }),
    },
    { $id: 'LogLine' },
  ),
);

export const ClientAddress = Type.Object(
  {
    seen: Type.String({ description: 'The address that filters, limits and bans use' }),
    forwardedFor: Type.Array(Type.String(), {
      description:
        'Entries of `X-Forwarded-For` as received, at most 20; used only if sent by a trusted proxy',
    }),
    viaTrustedProxy: Type.Boolean(),
    verdict: Type.Enum(['ip_visible', 'ip_not_visible', 'proxy_detected']),
    explanation: Type.String(),
  },
  { $id: 'ClientAddress' },
);
