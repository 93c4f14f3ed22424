import { answer } from '../../../http/answer.ts';
import {
  custom,
  described,
  FieldProblem,
  integer,
  oneOf,
  optional,
  text,
  withDefault,
} from '../../../http/fields.ts';
import { administratorOnly, type Route, route } from '../../../http/route.ts';
import { LOG_LEVELS, LOG_SOURCES } from '../../../lib/log-line.ts';
import { type Network, parseAddress } from '../../../lib/network.ts';
import { type BackupParts, createBackups } from './backup.ts';
import { judgeClientAddress } from './client-address.ts';
import { type LogTailParts, logTail } from './log-tail.ts';
import { readOwnGateways } from './own-gateways.ts';
import { ClientAddress, LogLines, SystemInfo } from './system.schema.ts';
import { createSystemInfo, type SystemInfoParts } from './system-info.ts';

interface AdministrationParts {
  readonly group: Route['group'] & object;
  readonly info: SystemInfoParts;
  readonly log: LogTailParts;
  readonly trustedProxies: readonly Network[];
  readonly backup: BackupParts;
}

/** Routes for whoever maintains the installation (contract 32, 35). */
export function administrationRoutes({
  group,
  info,
  log,
  trustedProxies,
  backup,
}: AdministrationParts): Route[] {
  const systemInfo = createSystemInfo(info);
  const makeBackup = createBackups(backup);
  const shared = { access: administratorOnly, group } as const;
  return [
    route({
      ...shared,
      method: 'GET',
      path: '/system:getInfo',
      function: 'getInfo',
      summary: 'Status of the service, its stores and the telephony engine, with the findings of `doctor`',
      description: 'Findings and counts are collected once for all callers and reused for 15 seconds.',
      answer: SystemInfo,
      handle: () => systemInfo(),
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/system:getLog',
      function: 'getLog',
      summary: 'Last lines of the logs, oldest first',
      description:
        'Covers this node only: the last 2000 lines or megabyte that the service wrote since it started, the last 500 lines or quarter of a megabyte that modules wrote, and the last megabyte of the telephony engine log.',
      query: {
        lines: described(
          withDefault(integer({ min: 1, max: 1000 }), 200),
          'Maximum number of matching lines; the latest are returned',
        ),
        level: described(withDefault(oneOf(LOG_LEVELS), 'trace'), 'This level and more severe ones'),
        contains: described(
          optional(text({ min: 1, max: 200 })),
          'Only lines whose text or fields contain this, ignoring case',
        ),
        source: described(optional(oneOf(LOG_SOURCES)), 'Only lines of this log. Default: both logs'),
      },
      answer: LogLines,
      handle: ({ query }) => logTail(log, query),
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/system:backup',
      function: 'backup',
      summary: 'Download a backup: database, certificate, modules and sounds',
      description:
        'A `tar.gz` archive with a consistent copy of the database, the self-signed certificate, the modules and the sounds. Recordings and bans are not included. **The archive contains every secret of the installation.** Restore it with `pbxcore restore`. Only one backup can run at a time, otherwise 409. An incomplete download is not a backup.',
      produces: ['application/gzip'],
      errors: [409],
      async handle({ signal }) {
        const { name, stream } = await makeBackup(signal);
        const headers = {
          'content-type': 'application/gzip',
          'content-disposition': `attachment; filename="${name}"`,
          'cache-control': 'no-store',
        };
        return answer({ status: 200, headers, parts: [], stream });
      },
    }),
    route({
      ...shared,
      method: 'POST',
      path: '/system:checkClientIpVisibility',
      function: 'checkClientIpVisibility',
      summary: 'Check that the service sees your real address',
      description:
        'Behind a proxy or in a container network, all callers may appear to have the same address; filters, limits and bans would then apply to the wrong one. The explanation names the setting to change.',
      body: { expected: described(optional(address), 'Your real address, as far as you know it') },
      answer: ClientAddress,
      handle: async ({ body: { expected }, ...request }) =>
        judgeClientAddress({ ...request, expected }, { trustedProxies, gateways: await readOwnGateways() }),
    }),
  ];
}

const address = custom<Network>({ type: 'string', maxLength: 64 }, (value) => {
  const parsed = typeof value === 'string' ? parseAddress(value.trim()) : undefined;
  if (!parsed) throw new FieldProblem('must be an IPv4 or IPv6 address');
  return parsed;
});
