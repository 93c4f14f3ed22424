import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Answer, answer, empty } from '../../../http/answer.ts';
import { matchesEtag } from '../../../http/etag.ts';
import { acceptsGzip } from '../../../http/send.ts';

const gzipAsync = promisify(gzip);

interface AssetParts {
  readonly load: () => Promise<Buffer>;
  readonly headers: OutgoingHttpHeaders;
}

/** A file of the page: read, compressed and hashed for its ETag at the first request, then kept in memory. */
export function createAsset({ load, headers }: AssetParts) {
  let prepared: ReturnType<typeof prepare> | undefined;

  async function prepare() {
    const plain = await load();
    const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
    return { plain, packed: await gzipAsync(plain), etag };
  }

  return async function serve(request: Readonly<IncomingHttpHeaders>): Promise<Answer> {
    prepared ??= prepare().catch((error) => {
      prepared = undefined;
      throw error;
    });
    const { plain, packed, etag } = await prepared;
    const shared = { ...headers, etag, vary: 'Accept-Encoding' };
    if (matchesEtag(request['if-none-match'], etag)) return empty(304, shared);
    return acceptsGzip(request['accept-encoding'])
      ? answer({ status: 200, headers: { ...shared, 'content-encoding': 'gzip' }, parts: [packed] })
      : answer({ status: 200, headers: shared, parts: [plain] });
  };
}
