import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { IncomingRoute, IncomingRouteListItem } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
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
import { ListWaiting } from '../parts/list-waiting.tsx';
import { OrderedList } from '../parts/ordered-list.tsx';
import { useOrder } from '../parts/use-order.ts';
import { CalledNumbers } from './called-numbers.tsx';
import { RouteSentence } from './route-sentence.tsx';

const LIST = ['incoming-routes', 'getList'];
/** Fewer are visible at a glance. */
const SEARCHED_FROM = 8;

export function IncomingRoutes() {
  const { t } = useTranslation();
  const address = useAddress();
  const search = address.get('search').trim().toLowerCase();
  const refetchInterval = useFallbackInterval();
  const { data, error, refetch } = useQuery({
    queryKey: LIST,
    queryFn: async () => (await api.incomingRoutes.getList({ limit: ALL })).data,
    refetchInterval,
  });
  const { data: last } = useQuery({
    queryKey: ['incoming-routes', 'getDefaultRoute'],
    queryFn: async () => (await api.incomingRoutes.getDefaultRoute()).data,
    refetchInterval,
  });
  const { items, order } = useOrder<IncomingRouteListItem>(LIST, data, (priorities) =>
    api.incomingRoutes.changePriority({ priorities }),
  );
  const routes = items?.filter(({ search_index }) => search_index.includes(search));
  return (
    <Page title={t('incoming-routes.title')} actions={<NewButton />}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      <Text size="sm" c="dimmed" maw={720}>
        {t('incoming-routes.orderHint')}
      </Text>
      {data && (search !== '' || data.length >= SEARCHED_FROM) && (
        <TextInput
          type="search"
          aria-label={t('incoming-routes.search')}
          placeholder={t('incoming-routes.search')}
          maw={360}
          value={address.get('search')}
          onChange={({ currentTarget }) => address.set({ search: currentTarget.value }, { replace: true })}
        />
      )}
      {routes && last ? (
        <OrderedList
          label={t('incoming-routes.title')}
          items={routes}
          keyOf={({ id }) => id}
          nameOf={nameOf}
          // A filtered list does not show what is in between.
          onOrder={search === '' && routes.length > 1 ? order : undefined}
          last={<Row route={last} isLast />}
        >
          {(route) => <Row route={route} />}
        </OrderedList>
      ) : (
        !error && <ListWaiting />
      )}
      <CalledNumbers />
    </Page>
  );
}

const nameOf = ({ rulename, number, id }: IncomingRoute): string => rulename || number || id;

function Row({ route, isLast = false }: { readonly route: IncomingRoute; readonly isLast?: boolean }) {
  const { t } = useTranslation();
  const { id, rulename, disabled, provider_disabled } = route;
  const name = isLast ? t('incoming-routes.defaultRoute') : rulename || t('incoming-routes.unnamed', { id });
  return (
    <Group justify="space-between" gap={4}>
      <Stack gap={0} miw={220} flex={1}>
        <Anchor
          size="sm"
          fw={600}
          className="any-break"
          renderRoot={(props) => <Link to="/incoming-routes/$id" params={{ id }} {...props} />}
        >
          <bdi>{name}</bdi>
        </Anchor>
        <RouteSentence route={route} />
        {isLast && route.did_to_extension && (
          <Text size="xs" c="dimmed">
            {t('incoming-routes.didFirst')}
          </Text>
        )}
      </Stack>
      {disabled ? (
        <Status tone="off" label={t('incoming-routes.off')} />
      ) : (
        provider_disabled && <Status tone="warning" label={t('incoming-routes.providerOff')} />
      )}
    </Group>
  );
}

function NewButton() {
  const { t } = useTranslation();
  return (
    <Button
      leftSection={<PlusIcon size={16} />}
      renderRoot={(props) => <Link to="/incoming-routes/$id" params={{ id: 'new' }} {...props} />}
    >
      {t('incoming-routes.new')}
    </Button>
  );
}
