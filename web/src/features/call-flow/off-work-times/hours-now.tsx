import { Button, Group, Paper, Select, Stack, Text } from '@mantine/core';
import type {
  OffWorkTimeItem,
  OffWorkTimesOverrideBody,
  OpeningHoursOverride,
  OpeningHoursState,
} from '@pbxcore/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { sayFailed } from '../../../ui/undo.tsx';
import { DEFAULT_ROUTE } from '../incoming-routes/route-fields.ts';
import { ByHand } from './by-hand.tsx';
import { ENDS, type End, endOf } from './by-hand-end.ts';
import { useRouteNames } from './use-route-names.ts';
import { wallWords } from './wall-words.ts';

interface HoursNowProps {
  /** For calls that reach this route first. */
  readonly now: OpeningHoursState & { readonly route: string };
  /** All overrides in force, for any routes. */
  readonly overrides: readonly OpeningHoursOverride[];
  readonly rules: readonly OffWorkTimeItem[];
}

/** Whether the line is open now and until when, and the switch that overrides all rules. */
export function HoursNow({ now, overrides, rules }: HoursNowProps) {
  const { t, i18n } = useTranslation();
  const [end, setEnd] = useState<End>('never');
  const [busy, setBusy] = useState(false);
  const { state, until, ruleName, timezone, route } = now;
  const routes = useRouteNames();
  /** If so, the text says for which calls this is true. */
  const differs =
    route !== DEFAULT_ROUTE || rules.some(({ disabled, allowRestriction }) => !disabled && allowRestriction);
  const when = wallWords(until, i18n.language);
  // An override for all calls must be ended first.
  const canSwitch =
    rules.length > 0 && !overrides.some(({ incomingRouteIds }) => incomingRouteIds.length === 0);

  async function switchTo(wanted: OffWorkTimesOverrideBody) {
    setBusy(true);
    try {
      await api.offWorkTimes.override(wanted);
      await queryClient.invalidateQueries({ queryKey: ['off-work-times'] });
    } catch (error) {
      sayFailed(error);
    } finally {
      setBusy(false);
    }
  }
  const byHand = (mode: 'open' | 'closed') => switchTo({ mode, until: endOf(end, timezone, Date.now()) });

  return (
    <Paper withBorder p="md">
      <Group justify="space-between">
        <Stack gap={2} role="status">
          {differs && (
            <Text size="sm" c="dimmed" className="any-break">
              <bdi>{routes.find(({ value }) => value === route)?.label ?? route}</bdi>
            </Text>
          )}
          <Text fw={700} fz="lg">
            {when ? t(`off-work-times.now.${state}Until`, { when }) : t(`off-work-times.now.${state}`)}
          </Text>
          {state === 'closed' && ruleName !== '' && (
            <Text size="sm" c="dimmed" className="any-break">
              {t('off-work-times.byRule', { rule: ruleName })}
            </Text>
          )}
        </Stack>
        {canSwitch && (
          <Group gap="xs" align="end">
            <Select
              label={t('off-work-times.byHand')}
              w={{ base: '100%', xs: 200 }}
              allowDeselect={false}
              value={end}
              data={ENDS.map((value) => ({ value, label: t(`off-work-times.end.${value}`) }))}
              onChange={(value) => value && setEnd(value as End)}
            />
            <Button variant="default" loading={busy} onClick={() => void byHand('open')}>
              {t('off-work-times.openNow')}
            </Button>
            <Button variant="default" loading={busy} onClick={() => void byHand('closed')}>
              {t('off-work-times.closeNow')}
            </Button>
          </Group>
        )}
      </Group>
      {overrides.length > 0 && (
        <ByHand
          overrides={overrides}
          canBeReplaced={canSwitch}
          busy={busy}
          onEnd={(incomingRouteIds) => void switchTo({ mode: 'auto', incomingRouteIds })}
        />
      )}
    </Paper>
  );
}
