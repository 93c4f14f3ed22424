import { Button, Checkbox, Menu, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { Call } from '@pbxcore/client';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Column } from '../../../ui/data-table.tsx';
import { clockTime } from '../../../ui/time.tsx';
import { WallTime } from '../../../ui/wall-time.tsx';
import { Disposition, Party } from './call-words.tsx';

const COLUMNS = [
  'start',
  'src_num',
  'dst_num',
  'did',
  'disposition',
  'billsec',
  'duration',
  'provider',
  'recording',
] as const;
type CallColumn = (typeof COLUMNS)[number];
const AT_FIRST: readonly CallColumn[] = [
  'start',
  'src_num',
  'dst_num',
  'disposition',
  'billsec',
  'recording',
];
const NUMERIC: readonly CallColumn[] = ['billsec', 'duration'];
/** The API cannot sort by these. */
const UNSORTED: readonly CallColumn[] = ['provider', 'recording'];

/** Shown columns, stored in this browser. None means the default ones, so that there is always a table to change. */
export function useChosenColumns() {
  const [stored, setStored] = useLocalStorage<readonly string[]>({
    key: 'pbxcore.call-columns',
    defaultValue: AT_FIRST,
    getInitialValueInEffect: false,
  });
  const chosen = COLUMNS.filter((column) => Array.isArray(stored) && stored.includes(column));
  return {
    chosen: chosen.length > 0 ? chosen : AT_FIRST,
    choose: (columns: readonly string[]) => setStored(columns),
  };
}

export function callColumns(
  chosen: readonly CallColumn[],
  providers: ReadonlyMap<string, string>,
  t: TFunction,
): Column<Call>[] {
  const cells: Record<CallColumn, (call: Call) => ReactNode> = {
    start: (call) => <WallTime at={call.start} />,
    src_num: (call) => <Party number={call.src_num} name={call.src_name} />,
    dst_num: (call) => <Party number={call.dst_num} name={call.dst_name} />,
    did: (call) => <bdi>{call.did}</bdi>,
    disposition: (call) => <Disposition value={call.disposition} />,
    billsec: (call) => (call.totalBillsec > 0 ? clockTime(call.totalBillsec) : '–'),
    duration: (call) => clockTime(call.totalDuration),
    provider: (call) => <bdi>{providersOf(call, providers).join(', ')}</bdi>,
    recording: (call) => {
      const count = call.records.filter((leg) => leg.recordingfile !== '').length;
      return count > 0 ? t('cdr.recordings', { count }) : '';
    },
  };
  return chosen.map((id) => ({
    id,
    label: t(`cdr.column.${id}`),
    cell: cells[id],
    numeric: NUMERIC.includes(id),
    sortable: !UNSORTED.includes(id),
  }));
}

function providersOf(call: Call, names: ReadonlyMap<string, string>): string[] {
  const ids = call.records.flatMap((leg) => [leg.from_account, leg.to_account]).filter((id) => id !== '');
  return [...new Set(ids)].map((id) => names.get(id) ?? id);
}

interface ChooserProps {
  readonly chosen: readonly string[];
  readonly choose: (columns: readonly string[]) => void;
}

export function ColumnChooser({ chosen, choose }: ChooserProps) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" withinPortal closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" size="xs">
          {t('cdr.columns')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Checkbox.Group value={[...chosen]} onChange={choose} aria-label={t('cdr.columns')}>
          <Stack gap="xs" p="xs">
            {COLUMNS.map((column) => (
              <Checkbox
                key={column}
                value={column}
                label={t(`cdr.column.${column}`)}
                disabled={chosen.length === 1 && chosen[0] === column}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      </Menu.Dropdown>
    </Menu>
  );
}
