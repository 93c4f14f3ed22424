import { ActionIcon, Button, Group, Stack, Title } from '@mantine/core';
import type { Call } from '@pbxcore/client';
import type { TFunction } from 'i18next';
import { lazy, Suspense, useRef } from 'react';
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
import classes from './cdr.module.css';
import { ChevronIcon } from './icons.tsx';
import { NoCalls } from './no-calls.tsx';
import { OpenedElsewhere } from './opened-elsewhere.tsx';
import { useSteadyHistory } from './steady-history.ts';

const CallChart = lazy(async () => ({ default: (await import('./call-chart.tsx')).CallChart }));

/** The history, with its filter, order, page and open call in the URL. */
export function CallHistory({ zone }: { readonly zone: string }) {
  const { t } = useTranslation();
  const address = useCallAddress();
  const filter = useCallFilter(address, zone);
  const { data, error, refetch, isPlaceholderData, asked } = useCallList(address, filter);
  const providers = useProviderNames();
  const columns = useChosenColumns();
  const { open, set } = address;
  const toggle = (call: Call) => set({ open: call.linkedid === open ? '' : call.linkedid });
  const table = useRef<HTMLDivElement>(null);
  const isRead = () => open !== '' || isAmong(table.current);
  const { list, waiting, show } = useSteadyHistory(isPlaceholderData ? undefined : data, asked, isRead);
  const shown = list ?? data;
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
            {open &&
              shown &&
              !isPlaceholderData &&
              !shown.calls.some(({ linkedid }) => linkedid === open) && (
                <OpenedElsewhere linkedid={open} onClose={() => set({ open: '' })} />
              )}
            <NewCalls count={waiting} onShow={show} />
            <div ref={table}>
              <DataTable
                caption={t('cdr.history')}
                columns={[openColumn(open, toggle, t), ...callColumns(columns.chosen, providers, t)]}
                rows={isOnTheWay ? undefined : shown?.calls}
                rowKey={({ linkedid }) => linkedid}
                sorting={address.sorting}
                onSort={({ by, descending }) => set({ sort: `${descending ? '-' : ''}${by}`, page: '' })}
                detail={(call) => call.linkedid === open && <CallDetail call={call} />}
                empty={<NoCalls isFiltered={address.q !== ''} set={set} />}
              />
            </div>
            {shown && shown.total > 0 && (
              <Pager
                total={shown.total}
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

/** Whether somebody points at a row, is in the table with the keyboard, or has scrolled down to read. */
const isAmong = (table: HTMLElement | null): boolean =>
  table !== null &&
  (table.matches(':hover') ||
    table.contains(document.activeElement) ||
    table.getBoundingClientRect().top < 0);

/** Above the rows, and visible at any scroll position; it takes no space, so that nothing moves when it appears. */
function NewCalls({ count, onShow }: { readonly count: number; readonly onShow: () => void }) {
  const { t, i18n } = useTranslation();
  const shown = new Intl.NumberFormat(i18n.language).format(count);
  return (
    <div role="status" className={classes.newCalls}>
      {count > 0 && (
        <Button size="compact-sm" radius="xl" onClick={onShow}>
          {t('cdr.newCalls', { count, shown })}
        </Button>
      )}
    </div>
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
