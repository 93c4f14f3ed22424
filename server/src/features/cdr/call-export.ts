import { Readable } from 'node:stream';
import type { Call } from './call.ts';
import type { CallExport } from './cdr.store.ts';
import { CSV_HEADER } from './leg-lines.ts';

export type ExportFormat = 'csv' | 'ndjson';

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

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

async function* chunks(
  source: CallExport,
  format: ExportFormat,
  grouped: boolean,
): AsyncGenerator<Uint8Array | string> {
  if (format === 'csv') yield CSV_HEADER;
  if (format === 'csv' || !grouped) yield* source.legs(format);
  else for await (const calls of source.calls()) yield calls.map(callLine).join('');
}

const callLine = (call: Call): string => `${JSON.stringify(call)}\n`;
