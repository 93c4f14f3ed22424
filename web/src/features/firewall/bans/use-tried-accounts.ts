import type { ExtensionStatus } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../../api/api.ts';
import { EXTENSIONS } from '../../../api/live-cache.ts';

/** The extensions with failed logins, by the address that tried. */
export function useTriedAccounts(): ReadonlyMap<string, readonly string[]> {
  const { data } = useQuery({
    queryKey: EXTENSIONS,
    queryFn: async () => (await api.sip.getStatuses()).data as Record<string, ExtensionStatus>,
  });
  return useMemo(() => {
    const byAddress = new Map<string, string[]>();
    for (const { extension, failed_logins: failures = [] } of Object.values(data ?? {}))
      for (const { ip } of failures) byAddress.set(ip, [...(byAddress.get(ip) ?? []), extension]);
    return byAddress;
  }, [data]);
}
