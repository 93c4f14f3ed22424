import { MalformedBody } from '../lib/errors.ts';

/** A field or file of a form as it arrives: first its head, then its bytes in pieces. */
export type FormEvent =
  | { readonly type: 'part'; readonly name: string; readonly fileName: string | undefined }
  | { readonly type: 'bytes'; readonly bytes: Buffer };

const MAX_PARTS = 32;
const MAX_HEAD_BYTES = 8192;
const END_OF_HEAD = '\r\n\r\n';

/**
 * Reads `multipart/form-data` (RFC 7578) without holding more of it than the last chunk. Ignores everything before the
 * first and after the last boundary.
 */
export async function* readForm(chunks: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<FormEvent> {
  const source = chunks[Symbol.asyncIterator]();
  try {
    yield* formEvents(source, Buffer.from(`\r\n--${boundary}`));
    while (!(await source.next()).done);
  } finally {
    await source.return?.();
  }
}

async function* formEvents(source: AsyncIterator<Buffer>, delimiter: Buffer): AsyncGenerator<FormEvent> {
  // So that a boundary at the very start is found like any other.
  let rest: Buffer = Buffer.from('\r\n');
  let isInPart = false;
  let parts = 0;

  async function readMore(): Promise<void> {
    const { done, value } = await source.next();
    if (done) throw new MalformedBody('the form is incomplete');
    rest = Buffer.concat([rest, value]);
  }

  for (;;) {
    let at = rest.indexOf(delimiter);
    while (at < 0) {
      // The last bytes may be the beginning of a delimiter.
      const sure = Math.max(0, rest.length - delimiter.length + 1);
      if (isInPart && sure > 0) yield { type: 'bytes', bytes: rest.subarray(0, sure) };
      rest = rest.subarray(sure);
      await readMore();
      at = rest.indexOf(delimiter);
    }
    if (isInPart && at > 0) yield { type: 'bytes', bytes: rest.subarray(0, at) };
    rest = rest.subarray(at + delimiter.length);
    while (rest.length < 2) await readMore();
    if (rest.toString('latin1', 0, 2) === '--') return;
    let end = rest.indexOf(END_OF_HEAD);
    while (end < 0) {
      if (rest.length > MAX_HEAD_BYTES)
        throw new MalformedBody('the form has a part whose headers are too long');
      await readMore();
      end = rest.indexOf(END_OF_HEAD);
    }
    if (++parts > MAX_PARTS) throw new MalformedBody(`the form has more than ${MAX_PARTS} parts`);
    yield partOf(rest.toString('utf8', 0, end));
    rest = rest.subarray(end + END_OF_HEAD.length);
    isInPart = true;
  }
}

function partOf(head: string): FormEvent {
  const line = head.split('\r\n').find((text) => /^content-disposition:/i.test(text)) ?? '';
  if (!/^content-disposition:\s*form-data\s*(;|$)/i.test(line))
    throw new MalformedBody('the form has a part that is not a field');
  const name = parameterOf(line, 'name');
  if (name === undefined) throw new MalformedBody('the form has a part without a name');
  return { type: 'part', name, fileName: parameterOf(line, 'filename') };
}

function parameterOf(line: string, name: string): string | undefined {
  const found = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(line);
  if (!found) return undefined;
  const [, quoted, plain = ''] = found;
  return quoted === undefined ? plain : quoted.replace(/\\(["\\])/g, '$1').replaceAll('%22', '"');
}
