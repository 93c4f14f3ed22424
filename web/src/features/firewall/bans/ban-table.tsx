import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable, Pager, type Sorting } from '../../../ui/data-table.tsx';
import { type BouncerKey, useBouncers } from '../firewall-bouncer/use-bouncers.ts';
import type { BanRow } from './ban-rows.ts';
import { BanWhy } from './ban-why.tsx';
import { liftBans } from './lift.ts';
import { TimeLeft } from './time-left.tsx';
import { useTriedAccounts } from './use-tried-accounts.ts';

/** The service returns all of them; this many are drawn at once. */
const PAGE = 50;
const NAMED = 2;

interface BanTableProps {
  readonly rows: readonly BanRow[] | undefined;
  readonly isFiltered: boolean;
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
  readonly selected: readonly string[];
  readonly onSelect: (keys: string[]) => void;
  readonly onBan: () => void;
}

export function BanTable({ rows, isFiltered, page, onPage, onBan, ...table }: BanTableProps) {
  const { t } = useTranslation();
  const { data: bouncers } = useBouncers();
  const accounts = useTriedAccounts();
  const total = rows?.length ?? 0;
  // If bans have ended and the page no longer exists, shows the last one.
  const shown = Math.min(page, Math.max(0, Math.ceil(total / PAGE) - 1));

  const columns: Column<BanRow>[] = [
    {
      id: 'address',
      label: t('bans.address'),
      sortable: true,
      cell: ({ value }) => (
        <Anchor
          size="sm"
          className="digits"
          renderRoot={(props) => (
            <Link {...props} to="." search={(now: object) => ({ ...now, explain: value })} />
          )}
        >
          {value}
        </Anchor>
      ),
    },
    {
      id: 'category',
      label: t('bans.category'),
      sortable: true,
      cell: ({ category }) => t(`bans.categories.${category}`),
    },
    {
      id: 'why',
      label: t('bans.why'),
      cell: (row) => (
        <BanWhy row={row} failing={row.category === 'sip' ? (accounts.get(row.value) ?? []) : []} />
      ),
    },
    {
      id: 'left',
      label: t('bans.left'),
      sortable: true,
      numeric: true,
      cell: ({ until }) => <TimeLeft until={until} />,
    },
    {
      id: 'told',
      label: t('bans.told'),
      cell: () => <Told bouncers={bouncers} />,
    },
    {
      id: 'lift',
      label: t('bans.action'),
      cell: (row) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('bans.liftOf', { address: row.value })}
          onClick={() => void liftBans([row])}
        >
          {t('bans.lift')}
        </Button>
      ),
    },
  ];

  return (
    <Stack gap="sm">
      <DataTable
        caption={t('bans.title')}
        columns={columns}
        rows={rows?.slice(shown * PAGE, (shown + 1) * PAGE)}
        rowKey={({ key }) => key}
        rowLabel={({ value }) => value}
        empty={<NoBans isFiltered={isFiltered} onBan={onBan} />}
        {...table}
      />
      {total > 0 && (
        <Pager
          total={total}
          limit={PAGE}
          offset={shown * PAGE}
          onOffset={(offset) => onPage(offset / PAGE)}
        />
      )}
    </Stack>
  );
}

function NoBans({ isFiltered, onBan }: { readonly isFiltered: boolean; readonly onBan: () => void }) {
  const { t } = useTranslation();
  if (isFiltered) return <Text>{t('bans.noneFound')}</Text>;
  return (
    <Group>
      <Text>{t('bans.none')}</Text>
      <Button variant="default" onClick={onBan}>
        {t('bans.ban')}
      </Button>
    </Group>
  );
}

/** Every bouncer gets every ban; one that has not polled lately is marked. */
function Told({ bouncers }: { readonly bouncers: readonly BouncerKey[] | undefined }) {
  const { t } = useTranslation();
  if (!bouncers) return null;
  const more = bouncers.length - NAMED;
  const names = bouncers
    .slice(0, NAMED)
    .map(({ description, bouncer: { state } }) =>
      state === 'fresh' ? description : `${description} (${t(`firewall-bouncer.state.${state}`)})`,
    );
  return (
    <Anchor size="sm" lineClamp={2} maw={220} renderRoot={(props) => <Link {...props} to="/bouncers" />}>
      {names.length === 0
        ? t('bans.toldNobody')
        : names.join(', ') + (more > 0 ? ` ${t('bans.toldMore', { count: more })}` : '')}
    </Anchor>
  );
}
