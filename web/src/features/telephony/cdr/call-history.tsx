import { ActionIcon, Group, Stack, Title } from '@mantine/core';
import type { Call } from '@pbxcore/client';
import type { TFunction } from 'i18next';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable, Pager } from '../../../ui/data-table.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { useExistingPage } from '../../../ui/paging.ts';
import { PER_PAGE, useCallAddress } from './call-address.ts';
import { ColumnChooser, callColumns, useChosenColumns } from './call-columns.tsx';
import { CallDetail } from './call-detail.tsx';
import { CallExport } from './call-export.tsx';
import { CallFilterBar } from './call-filter-bar.tsx';
import { useCallFilter, useCallList, useProviderNames } from './call-queries.ts';
import { ChevronIcon } from './icons.tsx';
import { NoCalls } from './no-calls.tsx';
import { OpenedElsewhere } from './opened-elsewhere.tsx';

const CallChart = lazy(async () => ({ default: (await import('./call-chart.tsx')).CallChart }));

/** What happened, with its filter, order, page and opened call in the address. */
export function CallHistory({ zone }: { readonly zone: string }) {
  const { t } = useTranslation();
  const address = useCallAddress();
  const filter = useCallFilter(address, zone);
  const { data, error, refetch, isPlaceholderData } = useCallList(address, filter);
  const providers = useProviderNames();
  const columns = useChosenColumns();
  const { open, set } = address;
  const toggle = (call: Call) => set({ open: call.linkedid === open ? '' : call.linkedid });
  const isOnTheWay = useExistingPage({
    offset: address.offset,
    limit: PER_PAGE,
    total: isPlaceholderData ? undefined : data?.total,
    go: (offset) => set({ page: offset ? String(offset / PER_PAGE + 1) : '' }, { replace: true }),
  });
  if (!filter) return null;
  return (
    <section aria-labelledby="call-history">
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h4" id="call-history">
            {t('cdr.history')}
          </Title>
          <Group gap="xs">
            <ColumnChooser {...columns} />
            <CallExport parameters={filter.parameters} total={data?.total} />
          </Group>
        </Group>
        <CallFilterBar address={address} filter={filter} providers={providers} />
        <Suspense fallback={null}>
          <CallChart
            days={filter.days}
            zone={zone}
            onDisposition={(q) => set({ q, page: '' })}
            q={address.q}
          />
        </Suspense>
        {error ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : (
          <>
            {open && data && !isPlaceholderData && !data.calls.some(({ linkedid }) => linkedid === open) && (
              <OpenedElsewhere linkedid={open} onClose={() => set({ open: '' })} />
            )}
            <DataTable
              caption={t('cdr.history')}
              columns={[openColumn(open, toggle, t), ...callColumns(columns.chosen, providers, t)]}
              rows={isOnTheWay ? undefined : data?.calls}
              rowKey={({ linkedid }) => linkedid}
              sorting={address.sorting}
              onSort={({ by, descending }) => set({ sort: `${descending ? '-' : ''}${by}`, page: '' })}
              detail={(call) => call.linkedid === open && <CallDetail call={call} />}
              empty={<NoCalls isFiltered={address.q !== ''} set={set} />}
            />
            {data && data.total > 0 && (
              <Pager
                total={data.total}
                limit={PER_PAGE}
                offset={address.offset}
                onOffset={(offset) => set({ page: String(offset / PER_PAGE + 1) })}
              />
            )}
          </>
        )}
      </Stack>
    </section>
  );
}

const openColumn = (open: string, toggle: (call: Call) => void, t: TFunction): Column<Call> => ({
  id: 'open',
  label: t('cdr.column.open'),
  cell: (call) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-expanded={call.linkedid === open}
      aria-label={t('cdr.openCall', { from: call.src_num.slice(0, 40), to: call.dst_num.slice(0, 40) })}
      onClick={() => toggle(call)}
    >
      <ChevronIcon open={call.linkedid === open} />
    </ActionIcon>
  ),
});
