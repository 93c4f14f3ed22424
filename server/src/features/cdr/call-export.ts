import { Readable } from 'node:stream';
import { csvLine } from '../../lib/csv.ts';
import type { Call } from './call.ts';
import type { CallExport } from './cdr.store.ts';
import { LEG_FIELDS, type Leg, type LegRow, legOf } from './leg.ts';

export type ExportFormat = 'csv' | 'ndjson';

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

const csv = (leg: Leg): string => csvLine(LEG_FIELDS.map((field) => String(leg[field])));
const json = (value: Leg | Call): string => `${JSON.stringify(value)}\n`;

/** Text, a batch of records at a time, as fast as the reader takes it (contract 5.6). Closes what it read from. */
export function exportStream(source: CallExport, format: ExportFormat, grouped: boolean): Readable {
  const stream = Readable.from(chunks(source, format, grouped), {
    objectMode: false,
    highWaterMark: 256 * 1024,
  });
  // Also when nobody ever read from it.
  stream.once('close', () => void source.close().catch(() => {}));
  return stream;
}

async function* chunks(source: CallExport, format: ExportFormat, grouped: boolean): AsyncGenerator<string> {
  if (format === 'csv') {
    yield csvLine(LEG_FIELDS);
    for await (const rows of source.legs()) yield lines(rows, (row) => csv(legOf(row)));
  } else if (grouped) {
    for await (const calls of source.calls()) yield lines(calls, json);
  } else {
    for await (const rows of source.legs()) yield lines(rows, (row: LegRow) => json(legOf(row)));
  }
}

const lines = <T>(records: readonly T[], render: (record: T) => string): string =>
  records.map(render).join('');
