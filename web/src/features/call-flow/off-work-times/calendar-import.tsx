import { Alert, Button, Fieldset, FileButton, List, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Failure } from '../../../ui/failure.tsx';
import { sayFailed } from '../../../ui/undo.tsx';
import { WallTime } from '../../../ui/wall-time.tsx';

type Imported = Awaited<ReturnType<typeof api.offWorkTimes.importCalendar>>['data'];
type Calendar = Awaited<ReturnType<typeof api.offWorkTimes.getCalendar>>['data'];
const NEXT = 10;

interface CalendarImportProps {
  readonly id: string;
  /** Not refetched while it is being deleted. */
  readonly isLeaving: boolean;
}

/** The calendar of a rule: its current content, and a file to replace it. */
export function CalendarImport({ id, isLeaving }: CalendarImportProps) {
  const { t } = useTranslation();
  const reset = useRef<() => void>(null);
  const [busy, setBusy] = useState(false);
  const [imported, setImported] = useState<Imported>();
  const { data, error, refetch } = useQuery({
    queryKey: ['off-work-times', 'getCalendar', id],
    queryFn: async () => (await api.offWorkTimes.getCalendar(id)).data,
    enabled: !isLeaving,
  });

  async function send(file: File) {
    setBusy(true);
    try {
      setImported((await api.offWorkTimes.importCalendar(id, { ics: await file.text() })).data);
      await queryClient.invalidateQueries({ queryKey: ['off-work-times'] });
    } catch (error) {
      sayFailed(error);
    } finally {
      setBusy(false);
      reset.current?.();
    }
  }

  return (
    <Fieldset legend={t('off-work-times.calendar.title')}>
      <Stack align="start">
        <FileButton resetRef={reset} accept=".ics,text/calendar" onChange={(file) => file && void send(file)}>
          {(props) => (
            <Button {...props} variant="default" loading={busy}>
              {t('off-work-times.calendar.import')}
            </Button>
          )}
        </FileButton>
        {imported && <Result imported={imported} />}
        {error && <Failure error={error} retry={() => void refetch()} />}
        {!error && (data ? <Times times={data} /> : <Skeleton height={180} maw={640} aria-busy="true" />)}
      </Stack>
    </Fieldset>
  );
}

function Times({ times }: { readonly times: Calendar }) {
  const { t } = useTranslation();
  if (times.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('off-work-times.calendar.none')}
      </Text>
    );
  return (
    <>
      <Table maw={640} verticalSpacing={4} captionSide="top">
        <caption className="unseen">{t('off-work-times.calendar.title')}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('off-work-times.calendar.summary')}</Table.Th>
            <Table.Th>{t('off-work-times.calendar.from')}</Table.Th>
            <Table.Th>{t('off-work-times.calendar.to')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {times.slice(0, NEXT).map(({ from, to, summary }) => (
            <Table.Tr key={`${from} ${to} ${summary}`}>
              <Table.Td>
                <bdi>{summary || '–'}</bdi>
              </Table.Td>
              <Table.Td>
                <WallTime at={from} />
              </Table.Td>
              <Table.Td>
                <WallTime at={to} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <More count={times.length - NEXT} />
    </>
  );
}

function Result({ imported: { events, skipped } }: { readonly imported: Imported }) {
  const { t } = useTranslation();
  return (
    <Alert role="status" color={skipped.length > 0 ? 'orange' : 'green'}>
      <Text size="sm" fw={600}>
        {t('off-work-times.calendar.events', { count: events })}
      </Text>
      {skipped.length > 0 && (
        <>
          <Text size="sm">{t('off-work-times.calendar.skipped')}</Text>
          <List size="sm">
            {skipped.slice(0, NEXT).map(({ uid, summary, reason }) => (
              <List.Item key={uid}>
                <bdi>{summary || uid}</bdi>: {reason}
              </List.Item>
            ))}
          </List>
          <More count={skipped.length - NEXT} />
        </>
      )}
    </Alert>
  );
}

/** How many entries the list does not show. */
function More({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  if (count <= 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {t('off-work-times.calendar.more', { count })}
    </Text>
  );
}
