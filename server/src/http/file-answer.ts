import { pipeline, Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { type Answer, answer } from './answer.ts';
import { acceptsGzip, jsonParts } from './send.ts';

interface TextFile {
  readonly name: string;
  /** Media type with its charset. */
  readonly type: string;
  /** Made before the answer begins, so that a store that cannot be read is still answered as such. */
  readonly first: string;
  /** What follows, piece by piece. */
  readonly rest?: AsyncIterable<string> | undefined;
}

/** A text to be saved as a file, compressed when the client asks and it pays (contract 1.8). */
export async function fileAnswer(
  file: TextFile,
  acceptEncoding: string | string[] | undefined,
): Promise<Answer> {
  const headers = {
    'content-type': file.type,
    'content-disposition': `attachment; filename="${file.name}"`,
    'cache-control': 'no-store',
  };
  if (!file.rest) {
    const packed = await jsonParts(file.first, acceptEncoding);
    return answer({ status: 200, headers: { ...headers, ...packed.headers }, parts: packed.parts });
  }
  const source = Readable.from(pieces(file.first, file.rest));
  const vary = { vary: 'Accept-Encoding' };
  if (!acceptsGzip(acceptEncoding))
    return answer({ status: 200, headers: { ...headers, ...vary }, parts: [], stream: source });
  const packing = createGzip({ level: constants.Z_BEST_SPEED });
  // A failure destroys `packing` too, which is how whoever sends it hears of it.
  pipeline(source, packing, () => {});
  return answer({
    status: 200,
    headers: { ...headers, ...vary, 'content-encoding': 'gzip' },
    parts: [],
    stream: packing,
  });
}

async function* pieces(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}
