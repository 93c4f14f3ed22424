import type { Pagination } from '../../http/answer.ts';
import { jsonOfMany } from '../../lib/in-pieces.ts';
import type { StoredRecords } from '../data/stored-records.ts';
import type { Done } from '../line/protocol.ts';
import type { Carried } from './call-message.ts';

/** A list that may be too long to hold in memory. */
export interface ListDone extends Done {
  /** Its records as JSON, joined by commas, piece by piece. */
  readonly pieces?: AsyncIterable<string>;
  /** Known after the last piece. */
  readonly pagination?: () => Pagination;
}

/** A page of stored records, or all of them (contract 1.7); beyond the first piece, it is sent while it is read. */
export async function storedList(
  records: StoredRecords,
  { limit, offset = 0, query }: Carried,
): Promise<ListDone> {
  const search = query?.search === undefined ? undefined : String(query.search);
  const source = records.pieces({ limit, offset, search });
  const { value: first } = await source.next();
  const items = first?.items ?? [];
  const isEnd = !first?.hasMore && (items.length > 0 || offset === 0);
  // A list that is read to its end has been counted.
  const counted = isEnd || limit === undefined ? undefined : await records.count(search);
  const list = { t: 'done', n: 0, info: [], warning: [] } as const;
  if (!first || first.isLast)
    return {
      ...list,
      json: `[${await jsonOfMany(items)}]`,
      count: items.length,
      total: counted ?? offset + items.length,
    };
  let count = 0;
  async function* pieces() {
    for (let piece: typeof first = first; piece; piece = (await source.next()).value ?? undefined) {
      yield `${count > 0 ? ',' : ''}${await jsonOfMany(piece.items)}`;
      count += piece.items.length;
    }
  }
  return {
    ...list,
    json: undefined,
    pieces: pieces(),
    pagination: () => {
      const total = counted ?? offset + count;
      return { total, limit: limit ?? count, offset, hasMore: offset + count < total };
    },
  };
}
