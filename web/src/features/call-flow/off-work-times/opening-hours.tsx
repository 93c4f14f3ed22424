import { Anchor, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { OffWorkTimeItem } from '@pbxcore/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { useAddress } from '../../../ui/address.ts';
import { Failure } from '../../../ui/failure.tsx';
import { PlusIcon } from '../../../ui/icons.tsx';
import { Page } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { ALL } from '../../../ui/whole-table.tsx';
import { DEFAULT_ROUTE } from '../incoming-routes/route-fields.ts';
import { ListWaiting } from '../parts/list-waiting.tsx';
import { OrderedList } from '../parts/ordered-list.tsx';
import { useOrder } from '../parts/use-order.ts';
import { HoursNow } from './hours-now.tsx';
import { RuleSentence } from './rule-sentence.tsx';
import { WeekGrid } from './week-grid.tsx';

const LIST = ['off-work-times', 'getList'];
/** Time passes without any event. */
const STATE_MS = 30_000;

export function OpeningHours() {
  const { t } = useTranslation();
  const route = String(useAddress().count('route') || DEFAULT_ROUTE);
  const list = useQuery({
    queryKey: LIST,
    queryFn: async () => (await api.offWorkTimes.getList({ limit: ALL })).data,
    refetchInterval: useFallbackInterval(),
  });
  const { items: rules, order } = useOrder<OffWorkTimeItem>(LIST, list.data, (priorities) =>
    api.offWorkTimes.changePriority({ priorities }),
  );
  const state = useQuery({
    queryKey: ['off-work-times', 'getState', route],
    queryFn: async () => ({
      ...(await api.offWorkTimes.getState({ incomingRouteId: route })).data,
      route,
    }),
    refetchInterval: STATE_MS,
    // The answer says for which route it is.
    placeholderData: keepPreviousData,
  });
  const byHand = useQuery({
    queryKey: ['off-work-times', 'getOverrides'],
    queryFn: async () => (await api.offWorkTimes.getOverrides()).data,
    refetchInterval: STATE_MS,
  });
  const now = state.data;
  const failed = [list, state, byHand].filter(({ error }) => error);
  const [first] = failed;
  return (
    <Page title={t('off-work-times.title')} actions={<NewButton />}>
      {/* One error for all: they mostly fail together. */}
      {first && <Failure error={first.error} retry={() => failed.forEach(({ refetch }) => void refetch())} />}
      {now && byHand.data ? (
        <HoursNow now={now} overrides={byHand.data} rules={rules ?? []} />
      ) : (
        !first && <Skeleton height={80} />
      )}
      {rules ? <Rules rules={rules} onOrder={order} /> : !first && <ListWaiting />}
      {now && rules && rules.length > 0 && <WeekGrid zone={now.timezone} route={route} />}
    </Page>
  );
}

interface RulesProps {
  readonly rules: readonly OffWorkTimeItem[];
  readonly onOrder: (ids: readonly string[]) => void;
}

function Rules({ rules, onOrder }: RulesProps) {
  const { t } = useTranslation();
  if (rules.length === 0)
    return (
      <Paper p="xl">
        <Stack align="center" gap="xs">
          <Text fw={600}>{t('off-work-times.none')}</Text>
          <Text size="sm" c="dimmed" ta="center">
            {t('off-work-times.noneHint')}
          </Text>
          <NewButton />
        </Stack>
      </Paper>
    );
  return (
    <section>
      <Title order={2} size="h4">
        {t('off-work-times.rules')}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('off-work-times.orderHint')}
      </Text>
      <OrderedList
        label={t('off-work-times.rules')}
        items={rules}
        keyOf={({ id }) => id}
        nameOf={({ description, id }) => description || id}
        onOrder={rules.length > 1 ? onOrder : undefined}
      >
        {(rule) => <Row rule={rule} />}
      </OrderedList>
    </section>
  );
}

function Row({ rule }: { readonly rule: OffWorkTimeItem }) {
  const { t } = useTranslation();
  const { id, description, disabled, activeNow } = rule;
  return (
    <Group justify="space-between" gap={4}>
      <Stack gap={0} miw={220} flex={1}>
        <Anchor
          size="sm"
          fw={600}
          className="any-break"
          renderRoot={(props) => <Link to="/opening-hours/$id" params={{ id }} {...props} />}
        >
          <bdi>{description || t('off-work-times.unnamed', { id })}</bdi>
        </Anchor>
        <RuleSentence rule={rule} />
      </Stack>
      {disabled ? (
        <Status tone="off" label={t('off-work-times.off')} />
      ) : (
        activeNow && <Status tone="busy" label={t('off-work-times.activeNow')} />
      )}
    </Group>
  );
}

function NewButton() {
  const { t } = useTranslation();
  return (
    <Button
      leftSection={<PlusIcon size={16} />}
      renderRoot={(props) => <Link to="/opening-hours/$id" params={{ id: 'new' }} {...props} />}
    >
      {t('off-work-times.new')}
    </Button>
  );
}
