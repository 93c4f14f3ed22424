import type { SystemInfo } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';
import type { Tone } from '../../../ui/status.tsx';

/** Findings are cached for 15 seconds, so fetching more often is useless. A fetch of the engine moves faster. */
const EVERY_MS = 30_000;
const WHILE_FETCHING_MS = 2000;

export function useSystemInfo() {
  return useQuery({
    queryKey: ['system', 'getInfo'],
    queryFn: async () => (await api.system.getInfo()).data,
    refetchInterval: ({ state }) => (state.data?.engine.state === 'fetching' ? WHILE_FETCHING_MS : EVERY_MS),
  });
}

export const ENGINE_TONES: Record<SystemInfo['engine']['state'], Tone> = {
  up: 'good',
  looking: 'busy',
  fetching: 'busy',
  starting: 'busy',
  away: 'bad',
  stopped: 'bad',
  unattended: 'warning',
  none: 'off',
};
