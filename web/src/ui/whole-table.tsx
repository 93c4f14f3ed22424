import type { ReactNode } from 'react';
import { useAddress } from './address.ts';
import { type Column, DataTable, Pager } from './data-table.tsx';
import { Failure } from './failure.tsx';
import { pageStart } from './paging.ts';

const PAGE = 100;
/** More than any installation has of the records shown this way. */
export const ALL = 1000;

type Order<Row> = (a: Row, b: Row) => number;

interface WholeTableProps<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly query: {
    readonly data: readonly Row[] | undefined;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
  /** By sortable column; the first one is the default. */
  readonly orders: Readonly<Record<string, Order<Row>>>;
  readonly empty: ReactNode;
}

/** A list that is fetched completely, and sorted and paged here; both are in the URL. */
export function WholeTable<Row extends { readonly id: string }>(props: WholeTableProps<Row>) {
  const { caption, columns, query, orders, empty } = props;
  const { data, error, refetch } = query;
  const { get, count, oneOf, set } = useAddress();
  const names = Object.keys(orders);
  const sorting = { by: oneOf('sort', names, names[0] ?? ''), descending: get('order') === 'desc' };
  const up = data?.toSorted(orders[sorting.by]);
  const rows = sorting.descending ? up?.reverse() : up;
  const offset = pageStart(count('offset'), PAGE, rows?.length ?? 0);
  return (
    <>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {(!error || rows) && (
        <DataTable
          caption={caption}
          columns={columns}
          rows={rows?.slice(offset, offset + PAGE)}
          rowKey={({ id }) => id}
          sorting={sorting}
          onSort={({ by, descending }) => set({ sort: by, order: descending ? 'desc' : '', offset: '' })}
          empty={empty}
        />
      )}
      {rows && rows.length > 0 && (
        <Pager
          total={rows.length}
          limit={PAGE}
          offset={offset}
          onOffset={(next) => set({ offset: String(next) })}
        />
      )}
    </>
  );
}
