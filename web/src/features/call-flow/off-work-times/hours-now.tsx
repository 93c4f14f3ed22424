import { Button, Group, Paper, Select, Stack, Text } from '@mantine/core';
import type { OffWorkTimesOverrideBody, OpeningHoursState } from '@pbxcore/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { sayFailed } from '../../../ui/undo.tsx';
import { readWall } from '../../../ui/wall-time.tsx';
import { addDays, minuteNow, today } from './week.ts';

const ENDS = ['never', 'hour', 'day'] as const;
type End = (typeof ENDS)[number];

/** Whether the line is open now and until when, and the switch that goes over all rules. */
export function HoursNow({ now, hasRules }: { readonly now: OpeningHoursState; readonly hasRules: boolean }) {
  const { t, i18n } = useTranslation();
  const [end, setEnd] = useState<End>('never');
  const [busy, setBusy] = useState(false);
  const { state, until, ruleName, override, timezone } = now;
  const when = wallWords(until, i18n.language);

  async function switchTo(mode: OffWorkTimesOverrideBody['mode']) {
    setBusy(true);
    try {
      await api.offWorkTimes.override({ mode, ...(mode !== 'auto' && { until: endOf(end, timezone) }) });
      await queryClient.invalidateQueries({ queryKey: ['off-work-times'] });
    } catch (error) {
      sayFailed(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Paper withBorder p="md">
      <Group justify="space-between">
        <Stack gap={2} role="status">
          <Text fw={700} fz="lg">
            {when ? t(`off-work-times.now.${state}Until`, { when }) : t(`off-work-times.now.${state}`)}
          </Text>
          {state === 'closed' && ruleName !== '' && (
            <Text size="sm" c="dimmed" className="any-break">
              {t('off-work-times.byRule', { rule: ruleName })}
            </Text>
          )}
          {override && (
            <Text size="sm">
              {override.until === ''
                ? t(`off-work-times.override.${override.mode}`)
                : t(`off-work-times.override.${override.mode}Until`, {
                    when: wallWords(override.until, i18n.language),
                  })}
            </Text>
          )}
        </Stack>
        <Group gap="xs" align="end">
          {override ? (
            <Button loading={busy} onClick={() => void switchTo('auto')}>
              {t('off-work-times.toRules')}
            </Button>
          ) : (
            hasRules && (
              <>
                <Select
                  label={t('off-work-times.byHand')}
                  w={{ base: '100%', xs: 200 }}
                  allowDeselect={false}
                  value={end}
                  data={ENDS.map((value) => ({ value, label: t(`off-work-times.end.${value}`) }))}
                  onChange={(value) => value && setEnd(value as End)}
                />
                <Button variant="default" loading={busy} onClick={() => void switchTo('open')}>
                  {t('off-work-times.openNow')}
                </Button>
                <Button variant="default" loading={busy} onClick={() => void switchTo('closed')}>
                  {t('off-work-times.closeNow')}
                </Button>
              </>
            )
          )}
        </Group>
      </Group>
    </Paper>
  );
}

/** By the clock of the exchange; empty for an end that somebody has to bring about. */
function endOf(end: End, zone: string): string {
  const date = today(zone);
  if (end === 'never') return '';
  const minute = minuteNow(zone) + 60;
  if (end === 'day' || minute >= 24 * 60) return `${addDays(date, 1)}T00:00:00`;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date}T${two(Math.floor(minute / 60))}:${two(minute % 60)}:00`;
}

const WEEK_MS = 6 * 86_400_000;

/** "Monday 09:00" within a week, else with its date. */
function wallWords(at: string, language: string): string {
  const wall = readWall(at);
  if (wall === undefined) return '';
  const isNear = wall - Date.now() < WEEK_MS;
  return new Intl.DateTimeFormat(language, {
    ...(isNear
      ? { weekday: 'long' }
      : { dateStyle: undefined, day: 'numeric', month: 'long', year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    // As the rules below say it.
    hourCycle: 'h23',
    timeZone: 'UTC',
  }).format(wall);
}
