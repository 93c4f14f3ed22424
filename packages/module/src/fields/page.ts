import { custom, type Field, FieldProblem, optional } from './field.ts';

export const DEFAULT_LIMIT = 50;

/** `limit` and `offset` of every list (contract 1.7). */
export const pageFields = {
  limit: optional(
    custom(
      { type: 'integer', minimum: 1, maximum: 1000, description: 'Clamped to 1..1000, never refused' },
      (value) => (/^-?\d+$/.test(String(value)) ? Math.min(1000, Math.max(1, Number(value))) : DEFAULT_LIMIT),
    ),
  ),
  offset: optional(
    custom({ type: 'integer', minimum: 0, description: 'Number of records to skip' }, (value) => {
      if (!/^\d+$/.test(String(value))) throw new FieldProblem('must be an integer, at least 0');
      return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
    }),
  ),
} satisfies Record<string, Field<number | undefined>>;

export interface Page {
  readonly limit?: number;
  readonly offset?: number;
}

/** Neither: all records. Only `offset`: 50 of them (contract 1.7). */
export const pageBounds = ({ limit, offset }: Page): { limit: number | undefined; offset: number } => ({
  limit: limit ?? (offset === undefined ? undefined : DEFAULT_LIMIT),
  offset: offset ?? 0,
});

export function pageOf<T>(records: readonly T[], page: Page): T[] {
  const { limit, offset } = pageBounds(page);
  return records.slice(offset, limit === undefined ? undefined : offset + limit);
}
