import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { MenuListItem } from '@pbxcore/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { useAddress } from '../../../ui/address.ts';
import type { Column } from '../../../ui/data-table.tsx';
import { PlusIcon } from '../../../ui/icons.tsx';
import { Page } from '../../../ui/page.tsx';
import { ALL, WholeTable } from '../../../ui/whole-table.tsx';
import { useTargetWords } from '../parts/target-words.ts';

const MOST_KEYS = 6;

export function Menus() {
  const { t } = useTranslation();
  const address = useAddress();
  const search = address.get('search');
  const query = useQuery({
    queryKey: ['ivr-menu', 'getList', { search }],
    queryFn: async () =>
      (await api.ivrMenu.getList({ limit: ALL, ...(search && { search: search.slice(0, 255) }) })).data,
    refetchInterval: useFallbackInterval(),
    placeholderData: keepPreviousData,
  });
  const columns = useColumns();
  return (
    <Page title={t('ivr-menu.title')} actions={<NewButton />}>
      {(search !== '' || (query.data && query.data.length > 0)) && (
        <TextInput
          type="search"
          aria-label={t('ivr-menu.search')}
          placeholder={t('ivr-menu.search')}
          maw={360}
          value={search}
          onChange={({ currentTarget }) =>
            address.set({ search: currentTarget.value, offset: '' }, { replace: true })
          }
        />
      )}
      <WholeTable
        caption={t('ivr-menu.title')}
        columns={columns}
        query={query}
        orders={{
          name: (a, b) => a.name.localeCompare(b.name),
          extension: (a, b) => Number(a.extension) - Number(b.extension),
        }}
        empty={search === '' ? <NoneYet /> : <Text ta="center">{t('ivr-menu.nothingFound')}</Text>}
      />
    </Page>
  );
}

function useColumns(): Column<MenuListItem>[] {
  const { t } = useTranslation();
  const words = useTargetWords();
  return [
    {
      id: 'name',
      label: t('ivr-menu.field.name'),
      sortable: true,
      cell: ({ id, name, description }) => (
        <>
          <Anchor size="sm" renderRoot={(props) => <Link to="/menus/$id" params={{ id }} {...props} />}>
            <bdi>{name}</bdi>
          </Anchor>
          <Text size="xs" c="dimmed" lineClamp={2}>
            {description}
          </Text>
        </>
      ),
    },
    {
      id: 'extension',
      label: t('call-flow.number'),
      sortable: true,
      numeric: true,
      cell: (menu) => menu.extension,
    },
    {
      id: 'keys',
      label: t('ivr-menu.keys'),
      cell: ({ actions }) => (
        <Stack gap={0}>
          {actions.slice(0, MOST_KEYS).map(({ digits, represent }) => (
            <Text key={digits} size="sm" className="any-break">
              <b className="digits">{digits}</b> → <bdi>{words(represent, represent)}</bdi>
            </Text>
          ))}
          {actions.length > MOST_KEYS && (
            <Text size="xs" c="dimmed">
              {t('ivr-menu.moreKeys', { count: actions.length - MOST_KEYS })}
            </Text>
          )}
          {actions.length === 0 && '–'}
        </Stack>
      ),
    },
    {
      id: 'silence',
      label: t('ivr-menu.nothingPressed'),
      cell: ({ timeout_extension: target, timeout_extension_represent: represent }) => (
        <bdi>{words(target || 'hangup', represent)}</bdi>
      ),
    },
  ];
}

function NewButton() {
  const { t } = useTranslation();
  return (
    <Button
      leftSection={<PlusIcon size={16} />}
      renderRoot={(props) => <Link to="/menus/$id" params={{ id: 'new' }} {...props} />}
    >
      {t('ivr-menu.new')}
    </Button>
  );
}

function NoneYet() {
  const { t } = useTranslation();
  return (
    <Stack align="center" gap="xs">
      <Text fw={600}>{t('ivr-menu.none')}</Text>
      <Text size="sm" c="dimmed" ta="center">
        {t('ivr-menu.noneHint')}
      </Text>
      <Group>
        <NewButton />
      </Group>
    </Stack>
  );
}
