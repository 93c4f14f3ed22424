import {
  type ExpressionBuilder,
  type ExpressionWrapper,
  type Kysely,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { DEFAULT_LIMIT, type Page } from '../../../http/page.ts';
import type { Database } from '../../../store/sql/schema.ts';
import type { Employee } from './employee.ts';
import { folded, toEmployee } from './employee-columns.ts';

export type SortKey = 'number_key' | 'name_key' | 'email_key' | 'mobile_key';

export interface ListQuery extends Page {
  readonly search?: string;
  /** Only those written at this time or later. */
  readonly updatedSince?: number;
  readonly order: SortKey;
  readonly descending: boolean;
}

export type ListedEmployee = Pick<Employee, (typeof LISTED)[number]>;

const LISTED = ['id', 'number', 'user_username', 'user_email', 'mobile_number', 'mobile_dialstring'] as const;

export interface EmployeeList<E> {
  readonly rows: E[];
  readonly total: number;
  /** How many match the search. */
  readonly filtered: number;
}

type Condition = (
  eb: ExpressionBuilder<Database, 'employees'>,
) => ExpressionWrapper<Database, 'employees', SqlBool>;

/** A page in total order: ties are broken by the id (contract 1.7). */
export const listEmployees = (
  db: Kysely<Database>,
  query: ListQuery,
): Promise<EmployeeList<ListedEmployee>> => listRows(db, query, (page) => page.select(LISTED));

/** The same with all stored fields. */
export async function listWholeEmployees(
  db: Kysely<Database>,
  query: ListQuery,
): Promise<EmployeeList<Employee>> {
  const { rows, ...counts } = await listRows(db, query, (page) => page.selectAll());
  return { ...counts, rows: rows.map(toEmployee) };
}

type Rows = SelectQueryBuilder<Database, 'employees', object>;

async function listRows<R>(
  db: Kysely<Database>,
  query: ListQuery,
  select: (page: Rows) => SelectQueryBuilder<Database, 'employees', R>,
): Promise<EmployeeList<R>> {
  const wanted = conditions(query);
  const direction = query.descending ? 'desc' : 'asc';
  const { limit, offset } = query;
  let page = select(db.selectFrom('employees')).orderBy(query.order, direction).orderBy('id', direction);
  if (limit !== undefined || offset !== undefined) {
    page = page.limit(limit ?? DEFAULT_LIMIT).offset(offset ?? 0);
  }
  const all = db.selectFrom('employees').select((eb) => eb.fn.countAll<number>().as('n'));
  if (!wanted) {
    const [rows, { n }] = await Promise.all([page.execute(), all.executeTakeFirstOrThrow()]);
    return { rows, total: n, filtered: n };
  }
  // A contains-match reads every employee, so the same query also counts.
  const counting = page.where(wanted).select((eb) => eb.fn.countAll<number>().over().as('matching'));
  const [found, { n }] = await Promise.all([counting.execute(), all.executeTakeFirstOrThrow()]);
  const isPastEnd = found.length === 0 && offset !== undefined && offset > 0;
  const filtered = isPastEnd ? (await all.where(wanted).executeTakeFirstOrThrow()).n : found[0]?.matching;
  return { rows: found, total: n, filtered: filtered ?? 0 };
}

function conditions({ search, updatedSince }: ListQuery): Condition | undefined {
  const wanted: Condition[] = [
    ...(search ? [condition(search)] : []),
    ...(updatedSince === undefined ? [] : [((eb) => eb('updated_at', '>=', updatedSince)) as Condition]),
  ];
  return wanted.length === 0 ? undefined : (eb) => eb.and(wanted.map((each) => each(eb)));
}

/** `id:` and `number:` exact, `email:` and `mobile:` contains, else contains anywhere (contract 3.2). */
function condition(search: string): Condition {
  const [, prefix = '', rest = search] = /^(id|number|email|mobile):(.*)$/is.exec(search) ?? [];
  const text = rest.trim();
  switch (prefix.toLowerCase()) {
    case 'id':
      return (eb) => eb('id', '=', /^\d{1,9}$/.test(text) ? Number(text) : -1);
    case 'number':
      return (eb) => eb('number', '=', text);
    case 'email':
      return () => contains('email_key', text);
    case 'mobile':
      return (eb) => eb.or([contains('mobile_key', text), contains('mobile_number', text)]);
    default:
      return () => contains('search_text', text);
  }
}

function contains(column: 'email_key' | 'mobile_key' | 'mobile_number' | 'search_text', text: string) {
  const pattern = `%${folded(text).replace(/[\\%_]/g, '\\$&')}%`;
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'` as unknown as ExpressionWrapper<
    Database,
    'employees',
    SqlBool
  >;
}
