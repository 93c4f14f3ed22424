import type { ExtensionStatus } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { EXTENSIONS } from '../../../api/live-cache.ts';
import { Changed } from '../../../ui/changed.tsx';
import { Status, type Tone } from '../../../ui/status.tsx';
import classes from './employees.module.css';

/** By number; events keep it current, and without them it is polled. */
export function useStatuses() {
  return useQuery({
    queryKey: EXTENSIONS,
    queryFn: async () => (await api.sip.getStatuses()).data as Record<string, ExtensionStatus>,
    refetchInterval: useFallbackInterval(),
  });
}

/** Names used in the URL. `failing`: somebody tries to log in without success. */
export const STATES = ['available', 'unavailable', 'unknown', 'failing'] as const;
export type State = (typeof STATES)[number];

export function hasState(status: ExtensionStatus | undefined, state: State): boolean {
  if (state === 'failing') return (status?.failed_logins?.length ?? 0) > 0;
  return (status?.status ?? 'Unknown').toLowerCase() === state;
}

const TONES: Readonly<Record<ExtensionStatus['status'], Tone>> = {
  Available: 'good',
  Unavailable: 'off',
  Unknown: 'warning',
};

export function EmployeeStatus({ status }: { readonly status: ExtensionStatus | undefined }) {
  const { t } = useTranslation();
  const word = status?.status ?? 'Unknown';
  const count = status?.devices.length ?? 0;
  const isFailing = word !== 'Available' && hasState(status, 'failing');
  const name = isFailing ? 'failing' : word.toLowerCase();
  const devices = count > 0 ? ` · ${t('employees.devices', { count })}` : '';
  return (
    <span className={classes.oneLine}>
      <Changed value={`${name} ${count}`}>
        <Status tone={isFailing ? 'bad' : TONES[word]} label={t(`employees.state.${name}`) + devices} />
      </Changed>
    </span>
  );
}
