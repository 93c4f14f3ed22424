import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { BANS } from '../../../api/live-bans.ts';
import { useAddress } from '../../../ui/address.ts';
import { Failure } from '../../../ui/failure.tsx';
import { PlusIcon, SearchIcon } from '../../../ui/icons.tsx';
import { Page } from '../../../ui/page.tsx';
import { ClientAddressBanner } from '../network-filters/client-address.tsx';
import { BanForm } from './ban-form.tsx';
import { CATEGORIES, found, isCategory, rowsOf, sorted } from './ban-rows.ts';
import { BanTable } from './ban-table.tsx';
import { Explain } from './explain.tsx';
import { liftBans } from './lift.ts';
import { Unreadable } from './unreadable.tsx';

/** Who is banned, why, and for how long; and the answer to "why is this address blocked?". */
export function Bans() {
  const { t } = useTranslation();
  const { get, count, set } = useAddress();
  const [banning, form] = useDisclosure(false);
  const [selected, setSelected] = useState<string[]>([]);
  const category = isCategory(get('category')) ? get('category') : '';
  const search = get('search');
  const sorting = { by: get('sort') || 'left', descending: get('order') !== 'asc' };
  const { data, error, refetch } = useQuery({
    queryKey: BANS,
    queryFn: async () => (await api.firewall.getBannedIps()).data,
    select: rowsOf,
    // Comparing that many old and new rows would take longer than drawing one page of them.
    structuralSharing: false,
    refetchInterval: useFallbackInterval(),
  });
  // A hundred thousand rows are searched during typing.
  const wanted = useDeferredValue(search);
  const rows = useMemo(
    () =>
      data &&
      sorted(
        found(data, wanted, isCategory(category) ? category : undefined),
        sorting.by,
        sorting.descending,
      ),
    [data, wanted, category, sorting.by, sorting.descending],
  );
  const chosen = rows?.filter(({ key }) => selected.includes(key)) ?? [];

  return (
    <Page
      title={t('bans.title')}
      actions={
        <Button leftSection={<PlusIcon size={16} />} onClick={form.open}>
          {t('bans.ban')}
        </Button>
      }
    >
      <ClientAddressBanner />
      <Explain key={get('explain')} />
      <Group align="flex-end">
        <TextInput
          label={t('bans.search')}
          description={t('bans.searchHint')}
          leftSection={<SearchIcon size={14} />}
          value={search}
          onChange={({ currentTarget }) => set({ search: currentTarget.value, page: '' }, { replace: true })}
          miw={260}
        />
        <Select
          label={t('bans.category')}
          data={[
            { value: '', label: t('bans.anyCategory') },
            ...CATEGORIES.map((value) => ({ value, label: t(`bans.categories.${value}`) })),
          ]}
          value={category}
          onChange={(value) => set({ category: value ?? '', page: '' })}
          allowDeselect={false}
        />
        {chosen.length > 0 && (
          <Button variant="default" onClick={() => void liftBans(chosen).then(() => setSelected([]))}>
            {t('bans.liftSelected', { count: chosen.length })}
          </Button>
        )}
      </Group>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {(!error || rows) && (
        <BanTable
          rows={rows}
          isFiltered={wanted !== '' || category !== ''}
          page={count('page')}
          onPage={(page) => set({ page: page > 0 ? String(page) : '' })}
          sorting={sorting}
          onSort={({ by, descending }) => set({ sort: by, order: descending ? 'desc' : 'asc', page: '' })}
          selected={selected}
          onSelect={setSelected}
          onBan={form.open}
        />
      )}
      <Unreadable />
      <BanForm opened={banning} onClose={form.close} />
    </Page>
  );
}
