import type { KeyBouncer, ProviderStatus, SystemInfo } from '@pbxcore/client';
import type { TFunction } from 'i18next';
import { wallTime } from '../../../ui/wall-time.tsx';

export interface Warning {
  readonly level: 'problem' | 'warning';
  readonly text: string;
  readonly remedy?: string | null;
  readonly to: string;
}

export interface Known {
  readonly findings: SystemInfo['findings'] | undefined;
  readonly providers: readonly ProviderStatus[] | undefined;
  readonly bouncers: readonly { id: string; description: string; bouncer: KeyBouncer }[] | undefined;
  readonly passwordIsGenerated: boolean;
}

/** Strangers' names may reverse the text direction, but only within themselves. */
const isolated = (text: string): string => `\u2068${text}\u2069`;

/** States in which no calls are possible. */
const DOWN = ['unregistered', 'rejected', 'unreachable'];
const LATE = ['late', 'silent'];

/** Everything known that needs attention, the worst first. */
export function warningsOf(known: Known, t: TFunction, language: string): Warning[] {
  const { findings = [], providers = [], bouncers = [], passwordIsGenerated } = known;
  const all: Warning[] = [
    ...findings.flatMap(({ id, level, text, remedy }) =>
      // Late bouncers are listed below, in the reader's language.
      level === 'ok' || (id === 'bouncers' && known.bouncers) ? [] : [{ level, text, remedy, to: '/status' }],
    ),
    ...providers
      .filter(({ state }) => DOWN.includes(state))
      .map(({ id, description, host, state, rejectionReason }) => ({
        level: 'problem' as const,
        text: t('overview.providerDown', {
          name: isolated(description || host),
          state: t(`overview.provider.${state}`),
        }),
        remedy: rejectionReason ?? null,
        to: `/providers/${id}`,
      })),
    ...bouncers
      .filter(({ bouncer }) => LATE.includes(bouncer.state))
      .map(({ id, description, bouncer }) => ({
        level: 'warning' as const,
        text: t('overview.bouncerLate', {
          name: isolated(description || id),
          since: wallTime(bouncer.late_since, language),
        }),
        to: '/bouncers',
      })),
    ...(passwordIsGenerated
      ? [{ level: 'warning' as const, text: t('overview.passwordGenerated'), to: '/welcome' }]
      : []),
  ];
  return all.sort((a, b) => Number(a.level === 'warning') - Number(b.level === 'warning'));
}
