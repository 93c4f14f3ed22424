import { type RawBuilder, sql } from 'kysely';
import type { SqlKind } from '../../../store/sql/migrate.ts';
import type { RowRenderer } from '../../../store/sql/sql-reader.ts';
import { wallMs } from '../../../store/sql/wall-ms.ts';
import { CALL_FIELDS } from './call.ts';
import { COUNTED, FALLBACK, LEG_FIELDS, TIMES } from './leg.ts';
import { LINES } from './leg-lines.ts';

type Sql = RawBuilder<unknown>;
type Shown = readonly [field: string, value: Sql];

/**
 * Legs (`l`) and calls (`c`) of an export as JSON written by the database: reading every cell of millions of legs and
 * writing it here takes three times as long. Same content as from `legOf` and `joinLegs`.
 */
export function createJsonLines(kind: SqlKind) {
  const leg = LEG_FIELDS.map((field): Shown => [field, legValue(kind, field)]);
  const call = CALL_FIELDS.map(([field, column]): Shown => [field, callValue(kind, column)]);
  // By start, then id (contract 5.3). The start of the first leg is known: parsing it costs PostgreSQL more than
  // reading the leg.
  const started = sql.raw(wallMs(kind, 'l.start'));
  const order = sql`order by case when l.start = c.start then c.started else ${started} end, l.id`;
  const ofCall = sql`from cdr_general l where l.linkedid = c.linkedid`;
  if (kind === 'sqlite') {
    const records = sql`(select json_group_array(${object(leg)} ${order}) ${ofCall})`;
    return {
      legs: legsAs(object(leg), LINES.textLine),
      calls: callsAs(object([...call, ['records', records]]), LINES.textLine),
    };
  }
  // The functions that write objects look up the type of every value and add spaces: lists of texts are cheap.
  const records = sql`to_json(array(select ${texts(leg)} ${ofCall} ${order}))::text`;
  return {
    legs: legsAs(sql`to_json(${texts(leg)})::text as leg`, LINES.legLine),
    calls: callsAs(sql`to_json(${texts(call)})::text as call, ${records} as records`, LINES.callLine),
  };
}

/** A query, and the function that makes a line of each of its rows. */
export interface Lines {
  readonly query: Sql;
  readonly line: RowRenderer;
}

/** Finds and sorts rows as stored; the limit keeps SQLite from writing, and sorting, the text first. */
const legsAs = (cells: Sql, line: RowRenderer) => (from: Sql) => ({
  query: sql`select ${cells} from (select l.* from ${from} order by l.id limit ${ALL}) l`,
  line,
});
const callsAs = (cells: Sql, line: RowRenderer) => (from: Sql) => ({
  query: sql`select ${cells} from (select c.* from ${from} order by c.last_id limit ${ALL}) c`,
  line,
});
const ALL = sql.lit(Number.MAX_SAFE_INTEGER);

const object = (shown: readonly Shown[]): Sql =>
  sql`json_object(${sql.join(shown.map(([field, value]) => sql`${sql.lit(field)}, ${value}`))})`;
const texts = (shown: readonly Shown[]): Sql =>
  sql`array[${sql.join(shown.map(([, value]) => sql`cast(${value} as text)`))}]`;

function legValue(kind: SqlKind, field: (typeof LEG_FIELDS)[number]): Sql {
  const column = sql.ref(`l.${field}`);
  if (field === 'id') return column;
  if (COUNTED.has(field)) return sql`coalesce(${whole(kind, column)}, 0)`;
  // In SQLite a cell may hold bytes, which JSON cannot.
  const text = sql`cast(${column} as text)`;
  if (TIMES.has(field)) return wireTime(kind, text);
  const fallback = FALLBACK[field];
  return fallback === undefined
    ? sql`coalesce(${text}, '')`
    : sql`coalesce(nullif(${text}, ''), ${sql.lit(fallback)})`;
}

function callValue(kind: SqlKind, column: string): Sql {
  const ref = sql.ref(`c.${column}`);
  if (column === 'duration' || column === 'billsec') return whole(kind, ref);
  const text = sql`cast(${ref} as text)`;
  return column === 'start' ? wireTime(kind, text) : text;
}

/** In SQLite an integer column may hold anything. */
const whole = (kind: SqlKind, column: Sql): Sql =>
  kind === 'sqlite' ? sql`iif(typeof(${column}) = 'text', 0, cast(${column} as integer))` : column;

const WRITTEN: Readonly<Record<SqlKind, (text: Sql) => Sql>> = {
  sqlite: (
    text,
  ) => sql`substr(${text}, 1, 19) glob ${sql.lit('dddd-dd-dd[T ]dd:dd:dd'.replaceAll('d', '[0-9]'))}
    and octet_length(${text}) = length(${text})
    and (length(${text}) = 19 or substr(${text}, 20, 1) = '.' and substr(${text}, 21) not glob '*[^0-9]*')`,
  postgres: (text) => sql`${text} ~ ${sql.lit('^dddd-dd-dd[T ]dd:dd:dd([.]d*)?$'.replaceAll('d', '[0-9]'))}`,
};

/** Like `wireTime` of a leg. A text of that length, with a space there, stays: it is in that form, or no time. */
const wireTime = (kind: SqlKind, text: Sql): Sql => sql`case
  when ${text} like '__________ ____________' then ${text}
  when ${WRITTEN[kind](text)}
    then substr(${text}, 1, 10) || ' ' || substr(${text}, 12, 8) || '.' || substr(substr(${text}, 21) || '000', 1, 3)
  else coalesce(${text}, '') end`;
