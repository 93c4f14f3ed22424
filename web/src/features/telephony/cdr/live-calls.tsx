import { Alert, Stack, Text, Title } from '@mantine/core';
import { ApiError } from '@pbxcore/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { CALLS, type LiveCall } from '../../../api/live-cache.ts';
import { Changed } from '../../../ui/changed.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Status } from '../../../ui/status.tsx';
import { clockTime, useNow } from '../../../ui/time.tsx';
import { WallTime } from '../../../ui/wall-time.tsx';
import { secondsSince } from './call-range.ts';
import { Party } from './call-words.tsx';
import { type LiveRow, useSteadyRows } from './steady-rows.ts';

const NONE: readonly LiveCall[] = [];

/** Calls under way. Events write them into the cache; without a stream they are polled. */
export function LiveCalls({ zone }: { readonly zone: string }) {
  const { t } = useTranslation();
  const fallback = useFallbackInterval();
  const [pointed, setPointed] = useState(false);
  const { data, error, refetch } = useQuery<LiveCall[]>({
    queryKey: CALLS,
    queryFn: async () => (await api.pbxStatus.getActiveCalls()).data,
    refetchInterval: (query) => (query.state.status === 'error' ? 10_000 : fallback),
    retry: false,
  });
  const rows = useSteadyRows(data ?? NONE, pointed);
  const columns = useLiveColumns(zone);
  useRecordsOf(data, fallback !== false);

  return (
    <section aria-labelledby="live-calls">
      <Title order={2} size="h4" id="live-calls" mb="xs">
        {t('cdr.live.title')}
      </Title>
      <Stack gap="xs" onPointerEnter={() => setPointed(true)} onPointerLeave={() => setPointed(false)}>
        {error && <Away error={error} retry={() => void refetch()} />}
        {!error && data && rows.length === 0 && (
          <Text size="sm" c="dimmed" role="status">
            {t('cdr.live.none')}
          </Text>
        )}
        {!error && (!data || rows.length > 0) && (
          <DataTable
            caption={t('cdr.live.title')}
            columns={columns}
            rows={data && rows}
            rowKey={({ call }) => call.linkedid}
            empty={null}
          />
        )}
      </Stack>
    </section>
  );
}

/** Without a stream, no event reports new records: a call that is gone has one. */
function useRecordsOf(calls: readonly LiveCall[] | undefined, isPolled: boolean): void {
  const cache = useQueryClient();
  const before = useRef<readonly LiveCall[]>([]);
  useEffect(() => {
    const isOver = ({ linkedid }: LiveCall) => !calls?.some((call) => call.linkedid === linkedid);
    if (isPolled && before.current.some(isOver)) void cache.invalidateQueries({ queryKey: ['cdr'] });
    before.current = calls ?? before.current;
  }, [calls, cache, isPolled]);
}

function Away({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  const { t } = useTranslation();
  if (!(error instanceof ApiError && error.status === 503)) return <Failure error={error} retry={retry} />;
  return (
    <Alert color="orange" variant="outline" role="status" title={t('cdr.live.away')}>
      <Text size="sm">{t('cdr.live.awayHint')}</Text>
    </Alert>
  );
}

function useLiveColumns(zone: string): Column<LiveRow>[] {
  const { t } = useTranslation();
  return [
    {
      id: 'state',
      label: t('cdr.live.state'),
      cell: (row) => (
        <Changed value={stateOf(row)}>
          <Status
            tone={row.ended ? 'off' : row.call.answer ? 'good' : 'busy'}
            label={t(`cdr.live.${stateOf(row)}`)}
          />
        </Changed>
      ),
    },
    {
      id: 'from',
      label: t('cdr.column.src_num'),
      cell: ({ call }) => <Party number={call.src_num} name={call.src_name} />,
    },
    {
      id: 'to',
      label: t('cdr.column.dst_num'),
      cell: ({ call }) => (
        <Changed value={call.dst_num}>
          <Party number={call.dst_num} name={call.dst_name} />
        </Changed>
      ),
    },
    { id: 'did', label: t('cdr.column.did'), cell: ({ call }) => <bdi>{call.did}</bdi> },
    {
      id: 'since',
      label: t('cdr.live.since'),
      cell: ({ call }) => <WallTime at={call.answer || call.start} only="time" />,
    },
    {
      id: 'running',
      label: t('cdr.live.running'),
      numeric: true,
      cell: ({ call, ended }) => (ended ? '' : <Running since={call.answer || call.start} zone={zone} />),
    },
  ];
}

function stateOf({ call, ended }: LiveRow): 'ended' | 'held' | 'talking' | 'ringing' {
  if (ended) return 'ended';
  if (call.state === 'held') return 'held';
  return call.answer ? 'talking' : 'ringing';
}

function Running({ since, zone }: { readonly since: string; readonly zone: string }) {
  return <span className="digits">{clockTime(secondsSince(since, useNow(), zone))}</span>;
}
