import { Readable } from 'node:stream';
import { ClientGone } from '../../../lib/errors.ts';
import type { OpenExport } from './cdr.service.ts';
import { CSV_HEADER } from './leg-lines.ts';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/**
 * An export as text, a batch of records at a time, as fast as the reader takes it (contract 5.6). Closes its source as
 * soon as that ends.
 */
export function exportStream(
  source: OpenExport | undefined,
  format: ExportFormat,
  grouped: boolean,
): Readable {
  const stream = Readable.from(chunks(source, format, grouped), {
    objectMode: false,
    highWaterMark: 256 * 1024,
  });
  if (!source) return stream;
  const { signal } = source;
  // Cuts the answer off, even while the client takes nothing. A client that left is not reported.
  const cut = () => stream.destroy(signal.reason instanceof ClientGone ? undefined : signal.reason);
  signal.addEventListener('abort', cut, { once: true });
  if (signal.aborted) cut();
  // Even if nobody ever read from it.
  stream.once('close', () => {
    signal.removeEventListener('abort', cut);
    source.close().catch(() => {});
  });
  return stream;
}

async function* chunks(
  source: OpenExport | undefined,
  format: ExportFormat,
  grouped: boolean,
): AsyncGenerator<Uint8Array | string> {
  if (format === 'csv') yield CSV_HEADER;
  if (!source) return;
  for await (const chunk of texts(source, format, grouped)) {
    source.pace.offer(chunk.length);
    yield chunk;
    source.pace.took();
  }
  await source.close();
}

async function* texts(
  source: OpenExport,
  format: ExportFormat,
  grouped: boolean,
): AsyncGenerator<Uint8Array | string> {
  if (format === 'csv' || !grouped) yield* source.legs(format);
  else yield* source.calls();
}
