import { createReadStream } from 'node:fs';
import { RangeNotSatisfiable } from '../lib/errors.ts';
import { type Answer, answer } from './answer.ts';
import { readRange } from './byte-range.ts';

interface RangedFile {
  readonly path: string;
  readonly size: number;
  readonly contentType: string;
  /** `inline`, or `attachment` with a name. */
  readonly disposition: string;
}

/** A sound file, whole or the part that `Range` requests (contract 5.5). */
export function rangedFile(file: RangedFile, header: string | string[] | undefined): Answer {
  const range = readRange(header === undefined ? undefined : String(header), file.size);
  if (range === 'unsatisfiable') throw new RangeNotSatisfiable(file.size);
  const { start, end } = range === 'whole' ? { start: 0, end: file.size - 1 } : range;
  return answer({
    status: range === 'whole' ? 200 : 206,
    headers: {
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
      'referrer-policy': 'no-referrer',
      'content-type': file.contentType,
      'content-disposition': file.disposition,
      'content-length': end - start + 1,
      ...(range !== 'whole' && { 'content-range': `bytes ${start}-${end}/${file.size}` }),
    },
    parts: [],
    ...(file.size > 0 && { stream: createReadStream(file.path, { start, end }) }),
  });
}
