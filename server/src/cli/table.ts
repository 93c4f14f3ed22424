import { shownText } from '../lib/shown-text.ts';

const MAX_CELL = 2000;

/** Rows in columns as wide as needed; the first row is the heading. Removes terminal control characters from cells. */
export function table(given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map((cell) => shownText(cell, MAX_CELL)));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
