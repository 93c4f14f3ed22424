import { pipeline, type Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import { acceptsGzip } from './send.ts';

/** A text of unknown size, compressed if accepted (contract 1.8); each piece is sent once the one before is taken. */
export function packedStream(stream: Readable, acceptEncoding: string | string[] | undefined) {
  const headers = { vary: 'Accept-Encoding' };
  if (!acceptsGzip(acceptEncoding)) return { headers, parts: [], stream };
  const packing = createGzip({ level: constants.Z_BEST_SPEED, chunkSize: 64 * 1024 });
  // `pipeline` also destroys `packing` when the source fails, which the sender notices, and vice versa.
  pipeline(stream, packing, () => {});
  return { headers: { ...headers, 'content-encoding': 'gzip' }, parts: [], stream: packing };
}
