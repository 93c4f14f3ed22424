import {
  Checkbox,
  Group,
  Pagination,
  Paper,
  Skeleton,
  Stack,
  Table,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export interface Column<Row> {
  readonly id: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  readonly sortable?: boolean;
  /** Aligned as numbers. */
  readonly numeric?: boolean;
}

export interface Sorting {
  readonly by: string;
  readonly descending: boolean;
}

interface DataTableProps<Row> {
  /** For screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  /** `undefined` while loading for the first time. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Shown instead of rows: offers the first step. */
  readonly empty: ReactNode;
  readonly sorting?: Sorting;
  readonly onSort?: (sorting: Sorting) => void;
  readonly selected?: readonly string[];
  readonly onSelect?: (keys: string[]) => void;
  /** Shown below an open row. */
  readonly detail?: (row: Row) => ReactNode | undefined;
  readonly rowLabel?: (row: Row) => string;
}

/** A real table in a wide window; in a narrow one, a list of cards with the same facts in the same order. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const narrow = useMediaQuery('(max-width: 48em)') ?? false;
  const { rows, empty } = props;
  if (rows === undefined) return <Waiting />;
  if (rows.length === 0) return <Paper p="xl">{empty}</Paper>;
  return narrow ? <Cards {...props} rows={rows} /> : <Wide {...props} rows={rows} />;
}

type Loaded<Row> = DataTableProps<Row> & { readonly rows: readonly Row[] };

function Waiting() {
  return (
    <Stack gap={6} aria-busy="true">
      {Array.from({ length: 8 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Skeleton key={index} height={36} />
      ))}
    </Stack>
  );
}

function Wide<Row>(props: Loaded<Row>) {
  const { caption, columns, rows, rowKey, sorting, onSort, detail } = props;
  const { selected, onSelect } = props;
  const all = selected !== undefined && rows.every((row) => selected.includes(rowKey(row)));
  const { t } = useTranslation();
  return (
    <Table.ScrollContainer minWidth={600}>
      <Table highlightOnHover verticalSpacing={6} captionSide="top">
        <caption className="unseen">{caption}</caption>
        <Table.Thead>
          <Table.Tr>
            {onSelect && (
              <Table.Th w={40}>
                <Checkbox
                  aria-label={t('ui.selectAll')}
                  checked={all}
                  indeterminate={!all && (selected?.length ?? 0) > 0}
                  onChange={() => onSelect(all ? [] : rows.map(rowKey))}
                />
              </Table.Th>
            )}
            {columns.map((column) => (
              <Head key={column.id} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Rows key={rowKey(row)} row={row} below={detail?.(row)} table={props} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Rows<Row>({ row, below, table }: { row: Row; below: ReactNode | undefined; table: Loaded<Row> }) {
  const { columns, onSelect } = table;
  return (
    <>
      <Table.Tr>
        {onSelect && (
          <Table.Td>
            <SelectBox row={row} table={table} />
          </Table.Td>
        )}
        {columns.map(({ id, cell, numeric }) => (
          <Table.Td key={id} {...(numeric && { ta: 'right', className: 'digits' })}>
            {cell(row)}
          </Table.Td>
        ))}
      </Table.Tr>
      {below && (
        <Table.Tr>
          <Table.Td colSpan={columns.length + (onSelect ? 1 : 0)}>{below}</Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

function SelectBox<Row>({ row, table }: { row: Row; table: Loaded<Row> }) {
  const { selected = [], onSelect, rowKey, rowLabel } = table;
  const { t } = useTranslation();
  const key = rowKey(row);
  return (
    <Checkbox
      aria-label={t('ui.select', { what: rowLabel?.(row) ?? key })}
      checked={selected.includes(key)}
      onChange={({ currentTarget }) =>
        onSelect?.(currentTarget.checked ? [...selected, key] : selected.filter((other) => other !== key))
      }
    />
  );
}

interface HeadProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting | undefined;
  readonly onSort: ((sorting: Sorting) => void) | undefined;
}

function Head<Row>({ column: { id, label, sortable, numeric }, sorting, onSort }: HeadProps<Row>) {
  const isSorted = sorting?.by === id;
  const order = isSorted ? (sorting.descending ? 'descending' : 'ascending') : 'none';
  const aligned = numeric ? { ta: 'right' as const } : {};
  if (!sortable || !onSort) return <Table.Th {...aligned}>{label}</Table.Th>;
  return (
    <Table.Th aria-sort={order} {...aligned}>
      <UnstyledButton
        fz="sm"
        fw={700}
        style={{ whiteSpace: 'nowrap' }}
        onClick={() => onSort({ by: id, descending: isSorted && !sorting.descending })}
      >
        {label} <span aria-hidden>{isSorted ? (sorting.descending ? '↓' : '↑') : '↕'}</span>
      </UnstyledButton>
    </Table.Th>
  );
}

function Cards<Row>(props: Loaded<Row>) {
  const { caption, columns, rows, rowKey, onSelect, detail } = props;
  return (
    <Stack gap="xs" component="ul" aria-label={caption} className="plain-list">
      {rows.map((row) => (
        <Paper key={rowKey(row)} component="li" withBorder p="sm">
          {onSelect && <SelectBox row={row} table={props} />}
          {columns.map(({ id, label, cell }) => (
            <Group key={id} justify="space-between" wrap="nowrap" gap="sm" mih={26}>
              <Text size="xs" c="dimmed">
                {label}
              </Text>
              <div className="card-value">{cell(row)}</div>
            </Group>
          ))}
          {detail?.(row)}
        </Paper>
      ))}
    </Stack>
  );
}

interface PagerProps {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
}

/** The position in a long list. Hidden for a short one. */
export function Pager({ total, limit, offset, onOffset }: PagerProps) {
  const { t, i18n } = useTranslation();
  const pages = Math.ceil(total / limit);
  const count = new Intl.NumberFormat(i18n.language).format(total);
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed" role="status">
        {t('ui.total', { count: total, shown: count })}
      </Text>
      {pages > 1 && (
        <Pagination
          total={pages}
          value={Math.floor(offset / limit) + 1}
          onChange={(page) => onOffset((page - 1) * limit)}
          getControlProps={(control) => ({ 'aria-label': t(`ui.page.${control}`) })}
          getItemProps={(page) => ({ 'aria-label': t('ui.page.number', { page }) })}
        />
      )}
    </Group>
  );
}
