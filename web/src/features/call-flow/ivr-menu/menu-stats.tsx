import { Group, Paper, Progress, SegmentedControl, Skeleton, Table, Text, Title } from '@mantine/core';
import type { Menu, MenuStats as Stats } from '@pbxcore/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useExchangeZone } from '../../../api/use-exchange-zone.ts';
import { useAddress } from '../../../ui/address.ts';
import { Failure } from '../../../ui/failure.tsx';
import { useNow } from '../../../ui/time.tsx';
import { daysOf } from '../../telephony/cdr/call-range.ts';
import { useTargetWords } from '../parts/target-words.ts';

const RANGES = ['today', '7d', '30d'] as const;
const OTHERS = ['direct', 'timeout', 'invalid', 'hungUp'] as const;
const AGAIN_MS = 60_000;
const ANY_DAYS = { from: '', to: '' };

/** What callers pressed, and how many pressed nothing: whether the menu is useful. */
export function MenuStats({ menu }: { readonly menu: Menu }) {
  const { t } = useTranslation();
  const { oneOf, set } = useAddress();
  const range = oneOf('days', RANGES, '30d');
  const { data: zone } = useExchangeZone();
  // An open page continues with the next day.
  const now = useNow(AGAIN_MS);
  const days = zone && daysOf(range, ANY_DAYS, now, zone);
  const { data, error, refetch } = useQuery({
    // Neither below the calls, which change every second, nor below the menus: a menu just deleted has no statistics.
    queryKey: ['menu-stats', menu.id, days],
    refetchInterval: AGAIN_MS,
    queryFn: async () => {
      const { from: dateFrom, to: dateTo } = days || ANY_DAYS;
      return (await api.ivrMenu.getStats(menu.id, { dateFrom, dateTo })).data;
    },
    enabled: days !== undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <Paper withBorder p="md" component="section" aria-label={t('ivr-menu.stats.title')}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t('ivr-menu.stats.title')}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={t('ivr-menu.stats.days')}
          value={range}
          onChange={(value) => set({ days: value === '30d' ? '' : value }, { replace: true })}
          data={RANGES.map((value) => ({ value, label: t(`ivr-menu.stats.range.${value}`) }))}
        />
      </Group>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!data && !error && <Skeleton height={24} />}
      {data?.calls === 0 && <Text size="sm">{t('ivr-menu.stats.none')}</Text>}
      {data && data.calls > 0 && <Outcomes menu={menu} stats={data} />}
    </Paper>
  );
}

function Outcomes({ menu, stats }: { readonly menu: Menu; readonly stats: Stats }) {
  const { t, i18n } = useTranslation();
  const words = useTargetWords();
  const whole = new Intl.NumberFormat(i18n.language);
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' });
  const rows = [
    ...stats.choices.map(({ digits, calls }) => {
      const action = menu.actions.find((one) => one.digits === digits);
      if (!action) return { id: digits, name: digits, calls };
      const target = words(action.extension, action.extension_represent);
      return { id: digits, name: t('ivr-menu.stats.key', { digits, target }), calls };
    }),
    ...OTHERS.map((name) => ({ id: name, name: t(`ivr-menu.stats.${name}`), calls: stats[name] })),
  ];
  return (
    <Table verticalSpacing={3} withRowBorders={false} captionSide="top">
      <caption className="unseen">{t('ivr-menu.stats.calls', { count: stats.calls })}</caption>
      <Table.Thead className="unseen">
        <Table.Tr>
          <Table.Th>{t('ivr-menu.stats.did')}</Table.Th>
          <Table.Th>{t('ivr-menu.stats.share')}</Table.Th>
          <Table.Th>{t('ivr-menu.stats.number')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ id, name, calls }) => (
          <Table.Tr key={id}>
            <Table.Td w="40%" miw={150} className="any-break">
              <bdi>{name}</bdi>
            </Table.Td>
            <Table.Td visibleFrom="xs">
              <Progress value={(100 * calls) / stats.calls} aria-hidden="true" />
            </Table.Td>
            <Table.Td ta="right" w={110} className="digits" style={{ whiteSpace: 'nowrap' }}>
              {whole.format(calls)} · {percent.format(calls / stats.calls)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
