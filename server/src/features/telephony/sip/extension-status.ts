import type { Device, ExtensionStatus } from '../../../engine/engine.ts';
import type { FailedLogin } from '../../../engine/failed-logins.ts';
import { isoWithOffset } from '../../../lib/local-time.ts';

export const EXTENSION_STATES = ['Available', 'Unavailable', 'Unknown'] as const;
type ExtensionState = (typeof EXTENSION_STATES)[number];

/** A device that is not probed counts as there: nothing says that it is gone (contract 6). */
const isThere = ({ reach }: Device): boolean => reach !== 'unreachable';

interface Employee {
  readonly number: string;
  readonly user_username: string;
}

export interface StatusRecord {
  readonly extension: string;
  readonly status: ExtensionState;
  readonly callerid: string;
  readonly devices: { ip: string; port: number; user_agent: string; rtt: number | null }[];
  readonly rtt: number | null;
  /** Only if there are any (contract 17.7). */
  readonly failed_logins?: { ip: string; since: string; reason?: 'without TLS' }[];
}

/** What the engine reported about one extension. */
export interface Told {
  readonly status: ExtensionStatus | undefined;
  readonly failedLogins: readonly FailedLogin[] | undefined;
}

/** Contract 6. What a lost engine last reported about a phone is no longer shown. */
export function statusRecord(
  employee: Employee,
  { status: told, failedLogins = [] }: Told,
  engine: 'none' | 'up' | 'lost',
  timezone: string,
): StatusRecord {
  const devices = engine === 'lost' ? [] : (told?.devices ?? []);
  const there = devices.filter(isThere);
  const times = there.flatMap(({ rttMs }) => (rttMs === null ? [] : [rttMs]));
  const reached = there.length > 0 ? 'Available' : 'Unavailable';
  return {
    extension: employee.number,
    status: engine === 'lost' ? 'Unknown' : reached,
    callerid: employee.user_username,
    devices: devices.map(({ address, port, userAgent, rttMs }) => ({
      ip: address,
      port,
      user_agent: userAgent,
      rtt: rttMs,
    })),
    rtt: times.length > 0 ? Math.min(...times) : null,
    ...(engine !== 'lost' &&
      failedLogins.length > 0 && {
        failed_logins: failedLogins.map(({ address, since, isWithoutTls }) => ({
          ip: address,
          since: isoWithOffset(since, timezone),
          ...(isWithoutTls && { reason: 'without TLS' as const }),
        })),
      }),
  };
}
