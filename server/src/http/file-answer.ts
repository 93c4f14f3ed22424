import { Readable } from 'node:stream';
import { type Answer, answer } from './answer.ts';
import { packedStream } from './packed-stream.ts';
import { jsonParts } from './send.ts';

interface TextFile {
  readonly name: string;
  /** Media type with its charset. */
  readonly type: string;
  /** Made before the answer begins, so that an unreadable store still gives an error answer. */
  readonly first: string;
  /** The rest, piece by piece. */
  readonly rest?: AsyncIterable<string> | undefined;
}

interface StreamedFile extends Pick<TextFile, 'name' | 'type'> {
  readonly stream: Readable;
}

type AcceptEncoding = string | string[] | undefined;

/** A text to be saved as a file, compressed when the client accepts it and it is worthwhile (contract 1.8). */
export async function fileAnswer(file: TextFile, acceptEncoding: AcceptEncoding): Promise<Answer> {
  if (file.rest)
    return streamedFile({ ...file, stream: Readable.from(pieces(file.first, file.rest)) }, acceptEncoding);
  const packed = await jsonParts(file.first, acceptEncoding);
  return answer({ status: 200, headers: { ...headersOf(file), ...packed.headers }, parts: packed.parts });
}

/** The same for a text of unknown size: each piece is sent as soon as the one before has been accepted. */
export function streamedFile(file: StreamedFile, acceptEncoding: AcceptEncoding): Answer {
  const { headers, ...packed } = packedStream(file.stream, acceptEncoding);
  return answer({ status: 200, headers: { ...headersOf(file), ...headers }, ...packed });
}

const headersOf = ({ name, type }: Pick<TextFile, 'name' | 'type'>) => ({
  'content-type': type,
  'content-disposition': `attachment; filename="${name}"`,
  'cache-control': 'no-store',
});

async function* pieces(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}
