import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { LogLines } from '../../../ui/log-lines.tsx';
import { useSystemInfo } from '../../system/system/system-info.ts';

const LINES = 50;

/** Log lines of the module, and who enabled, disabled or configured it; the newest last. */
export function ModuleLog({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const zone = useSystemInfo().data?.clock.timezone;
  const { data: lines } = useQuery({
    queryKey: ['modules', 'getLog', id],
    queryFn: async () => (await api.modules.getLog(id, { lines: LINES })).data,
    refetchInterval: 5000,
  });
  if (lines?.length === 0) return <Text size="sm">{t('modules.noLog')}</Text>;
  return <LogLines lines={lines} label={t('modules.log')} zone={zone} />;
}
