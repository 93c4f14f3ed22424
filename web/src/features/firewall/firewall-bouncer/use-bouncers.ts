import type { ApiKeyListItem, KeyBouncer } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.ts';

export type BouncerKey = ApiKeyListItem & { readonly bouncer: KeyBouncer };

const isBouncer = (key: ApiKeyListItem): key is BouncerKey => key.bouncer !== null;
const bouncersOf = (keys: readonly ApiKeyListItem[]): BouncerKey[] => keys.filter(isBouncer);

/** Keys that fetch bans, or were made for it. No event reports that one becomes late, so screens that show it poll. */
export const useBouncers = ({ againMs }: { readonly againMs?: number } = {}) =>
  useQuery({
    queryKey: ['api-keys', 'getList', {}],
    queryFn: async () => (await api.apiKeys.getList({ limit: 1000 })).data,
    select: bouncersOf,
    ...(againMs !== undefined && { refetchInterval: againMs }),
  });

export const BOUNCER_TONES = {
  never: 'off',
  fresh: 'good',
  late: 'warning',
  silent: 'bad',
  revoked: 'off',
} as const;

/** Its last poll, in milliseconds of this browser's clock. */
export const lastPollAt = ({ seconds_since: since }: KeyBouncer, asOf: number): number | undefined =>
  since === null ? undefined : asOf - since * 1000;
