import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { OutboundRouteListItem } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { Failure } from '../../../ui/failure.tsx';
import { PlusIcon } from '../../../ui/icons.tsx';
import { Page } from '../../../ui/page.tsx';
import { Status } from '../../../ui/status.tsx';
import { ALL } from '../../../ui/whole-table.tsx';
import { ListWaiting } from '../parts/list-waiting.tsx';
import { OrderedList } from '../parts/ordered-list.tsx';
import { useOrder } from '../parts/use-order.ts';
import { ANY_REST } from './outbound-fields.ts';
import { TestNumber } from './test-number.tsx';

const LIST = ['outbound-routes', 'getList'];

export function OutboundRoutes() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: LIST,
    queryFn: async () => (await api.outboundRoutes.getList({ limit: ALL })).data,
    refetchInterval: useFallbackInterval(),
  });
  const { items, order } = useOrder<OutboundRouteListItem>(LIST, data, (priorities) =>
    api.outboundRoutes.changePriority({ priorities }),
  );
  return (
    <Page title={t('outbound-routes.title')} actions={<NewButton />}>
      <TestNumber />
      {error && <Failure error={error} retry={() => void refetch()} />}
      {items && items.length > 0 && (
        <Text size="sm" c="dimmed" maw={720}>
          {t('outbound-routes.orderHint')}
        </Text>
      )}
      {items && items.length === 0 && <NoneYet />}
      {items && items.length > 0 && (
        <OrderedList
          label={t('outbound-routes.title')}
          items={items}
          keyOf={({ id }) => id}
          nameOf={({ rulename }) => rulename}
          onOrder={items.length > 1 ? order : undefined}
        >
          {(route) => <Row route={route} />}
        </OrderedList>
      )}
      {!items && !error && <ListWaiting />}
    </Page>
  );
}

function Row({ route }: { readonly route: OutboundRouteListItem }) {
  const { t } = useTranslation();
  const { id, rulename, disabled, provider_disabled } = route;
  return (
    <Group justify="space-between" gap={4}>
      <Stack gap={0} miw={220} flex={1}>
        <Anchor
          size="sm"
          fw={600}
          className="any-break"
          renderRoot={(props) => <Link to="/outbound-routes/$id" params={{ id }} {...props} />}
        >
          <bdi>{rulename}</bdi>
        </Anchor>
        <Says route={route} />
      </Stack>
      {disabled ? (
        <Status tone="off" label={t('outbound-routes.off')} />
      ) : (
        provider_disabled && <Status tone="warning" label={t('outbound-routes.providerOff')} />
      )}
    </Group>
  );
}

/** The numbers that the route accepts and how it changes them, in one sentence. */
function Says({ route }: { readonly route: OutboundRouteListItem }) {
  const { t } = useTranslation();
  const {
    numberbeginswith: begin,
    restnumbers: rest,
    trimfrombegin: trim,
    prepend,
    callerid,
    call_class,
  } = route;
  const parts = [
    begin === '' ? t('outbound-routes.says.any') : t('outbound-routes.says.begins', { begin }),
    rest === ANY_REST ? '' : t('outbound-routes.says.rest', { count: rest }),
    trim === 0 ? '' : t('outbound-routes.says.trim', { count: trim }),
    prepend === '' ? '' : t('outbound-routes.says.prepend', { prepend }),
  ];
  const more = [
    call_class === 'national' ? '' : t(`outbound-routes.class.${call_class}`),
    callerid === '' ? '' : t('outbound-routes.says.shows', { number: shownNumber(callerid, t) }),
  ];
  return (
    <Text size="sm" className="any-break" component="span">
      {parts.filter((part) => part !== '').join(', ')}
      {' → '}
      <b>
        <bdi>{route.providerid_represent}</bdi>
      </b>
      {more.some((part) => part !== '') && ` (${more.filter((part) => part !== '').join(', ')})`}
    </Text>
  );
}

const shownNumber = (callerid: string, t: (key: string) => string): string =>
  callerid === 'anonymous' ? t('outbound-routes.anonymous') : callerid;

function NewButton() {
  const { t } = useTranslation();
  return (
    <Button
      leftSection={<PlusIcon size={16} />}
      renderRoot={(props) => <Link to="/outbound-routes/$id" params={{ id: 'new' }} {...props} />}
    >
      {t('outbound-routes.new')}
    </Button>
  );
}

function NoneYet() {
  const { t } = useTranslation();
  return (
    <Paper p="xl">
      <Stack align="center" gap="xs">
        <Text fw={600}>{t('outbound-routes.none')}</Text>
        <Text size="sm" c="dimmed" ta="center" maw={560}>
          {t('outbound-routes.noneHint')}
        </Text>
        <NewButton />
      </Stack>
    </Paper>
  );
}
