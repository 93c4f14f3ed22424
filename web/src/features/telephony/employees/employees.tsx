import { Anchor, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import type { EmployeeFullItem, ExtensionStatus } from '@pbxcore/client';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddress } from '../../../ui/address.ts';
import { type Column, DataTable, Pager } from '../../../ui/data-table.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { PlusIcon, SearchIcon } from '../../../ui/icons.tsx';
import { Page } from '../../../ui/page.tsx';
import { useExistingPage } from '../../../ui/paging.ts';
import { EmployeeBulk, ExportMenu } from './employee-bulk.tsx';
import { transportName } from './employee-fields.ts';
import { PAGE, useEmployeeList, useWanted } from './employee-list.ts';
import { EmployeeStatus, STATES, useStatuses } from './employee-status.tsx';

export function Employees() {
  const { t } = useTranslation();
  const address = useAddress();
  const wanted = useWanted();
  const { data: statuses } = useStatuses();
  const { listed, error, refetch, isPlaceholderData } = useEmployeeList(wanted, statuses);
  const isOnTheWay = useExistingPage({
    offset: wanted.offset,
    limit: PAGE,
    total: isPlaceholderData ? undefined : listed?.found,
    go: (offset) => address.set({ offset: offset ? String(offset) : '' }, { replace: true }),
  });
  const [selected, setSelected] = useState<string[]>([]);
  const chosen = listed?.rows.filter(({ id }) => selected.includes(id)) ?? [];
  const columns = useColumns(statuses);
  const isFiltered = wanted.search !== '' || wanted.state !== '';

  return (
    <Page title={t('employees.title')} actions={<Actions />}>
      <Filters />
      {error && <Failure error={error} retry={() => void refetch()} />}
      {chosen.length > 0 && <EmployeeBulk chosen={chosen} onDone={() => setSelected([])} />}
      {(listed || !error) && (
        <DataTable
          caption={t('employees.title')}
          columns={columns}
          rows={isOnTheWay ? undefined : listed?.rows}
          rowKey={({ id }) => id}
          rowLabel={({ number, user_username }) => `${number} ${user_username}`}
          empty={isFiltered ? <NothingFound /> : <NobodyYet />}
          sorting={{ by: wanted.sort, descending: wanted.descending }}
          onSort={({ by, descending }) => address.set({ sort: by, desc: descending ? '1' : '', offset: '' })}
          selected={selected}
          onSelect={setSelected}
        />
      )}
      {listed && listed.found > 0 && (
        <Pager
          total={listed.found}
          limit={PAGE}
          offset={wanted.offset}
          onOffset={(offset) => address.set({ offset: offset ? String(offset) : '' })}
        />
      )}
    </Page>
  );
}

function Actions() {
  const { t } = useTranslation();
  return (
    <>
      <ExportMenu />
      <Button variant="default" renderRoot={(props) => <Link to="/employees/import" {...props} />}>
        {t('employees.import')}
      </Button>
      <NewButton />
    </>
  );
}

function NewButton() {
  const { t } = useTranslation();
  return (
    <Button
      leftSection={<PlusIcon size={16} />}
      renderRoot={(props) => <Link to="/employees/$id" params={{ id: 'new' }} {...props} />}
    >
      {t('employees.new')}
    </Button>
  );
}

/** Input is sent once typing pauses. The back button also restores the earlier text in the field. */
function Filters() {
  const { t } = useTranslation();
  const address = useAddress();
  const inAddress = address.get('search');
  const [typed, setTyped] = useState(inAddress);
  useEffect(() => setTyped(inAddress), [inAddress]);
  const send = useDebouncedCallback(
    (search: string) => address.set({ search, offset: '' }, { replace: true }),
    250,
  );
  return (
    <Group gap="sm" align="end">
      <TextInput
        type="search"
        flex="1 1 220px"
        maw={420}
        label={t('employees.search')}
        placeholder={t('employees.searchHint')}
        leftSection={<SearchIcon size={16} />}
        maxLength={255}
        value={typed}
        onChange={({ currentTarget: { value } }) => {
          setTyped(value);
          send(value);
        }}
      />
      <Select
        label={t('employees.status')}
        w={190}
        allowDeselect={false}
        value={address.oneOf('status', ['', ...STATES], '')}
        onChange={(status) => address.set({ status: status ?? '', offset: '' })}
        data={[
          { value: '', label: t('employees.anyState') },
          ...STATES.map((state) => ({ value: state, label: t(`employees.state.${state}`) })),
        ]}
      />
    </Group>
  );
}

function useColumns(statuses: Readonly<Record<string, ExtensionStatus>> | undefined) {
  const { t } = useTranslation();
  const columns: Column<EmployeeFullItem>[] = [
    { id: 'number', label: t('employees.number'), sortable: true, cell: ({ number }) => number },
    {
      id: 'user_username',
      label: t('employees.name'),
      sortable: true,
      cell: ({ id, user_username }) => (
        <Anchor size="sm" renderRoot={(props) => <Link to="/employees/$id" params={{ id }} {...props} />}>
          <bdi>{user_username}</bdi>
        </Anchor>
      ),
    },
    {
      id: 'status',
      label: t('employees.status'),
      cell: ({ number }) => (statuses ? <EmployeeStatus status={statuses[number]} /> : null),
    },
    { id: 'user_email', label: t('employees.email'), sortable: true, cell: ({ user_email }) => user_email },
    { id: 'mobile', label: t('employees.mobile'), sortable: true, cell: ({ mobile }) => mobile },
    {
      id: 'transport',
      label: t('employees.transport'),
      cell: ({ sip_transport }) => transportName(sip_transport),
    },
  ];
  return columns;
}

function NobodyYet() {
  const { t } = useTranslation();
  return (
    <Stack align="center" gap="xs">
      <Text fw={600}>{t('employees.nobody')}</Text>
      <Text size="sm" c="dimmed">
        {t('employees.nobodyHint')}
      </Text>
      <NewButton />
    </Stack>
  );
}

function NothingFound() {
  const { t } = useTranslation();
  const address = useAddress();
  return (
    <Stack align="center" gap="xs">
      <Text fw={600}>{t('employees.nothingFound')}</Text>
      <Button variant="default" onClick={() => address.set({ search: '', status: '', offset: '' })}>
        {t('employees.showAll')}
      </Button>
    </Stack>
  );
}
