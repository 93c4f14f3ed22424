import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Answer, answer } from '../../../http/answer.ts';
import { acceptsCoding } from '../../../http/send.ts';
import { NotFound } from '../../../lib/errors.ts';

/** Output folder of `npm run page`. */
const BUILT = join(import.meta.dirname, '../../../../../web/dist');
const NOT_BUILT = join(import.meta.dirname, '../../../../assets/page/not-built.html');

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Nothing is loaded from other hosts (contract 31.3). Style elements of the component library carry the nonce. */
const pageHeaders = (nonce: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
});

/** The files of a build: the document, and assets whose names carry their hash. */
export function createPageFiles(folder = BUILT) {
  const kept = new Map<string, Promise<Buffer>>();

  /** Read once: an asset never changes under its name. */
  function read(name: string): Promise<Buffer> {
    const known = kept.get(name);
    if (known) return known;
    const bytes = readFile(join(folder, 'assets', name));
    kept.set(name, bytes);
    bytes.catch(() => kept.delete(name));
    return bytes;
  }

  return {
    async document(): Promise<Answer> {
      const nonce = randomBytes(16).toString('base64url');
      // Read each time, as it refers to the assets of the newest build.
      const html = await readFile(join(folder, 'index.html'), 'utf8').catch(missing);
      const text = html?.replace('%NONCE%', nonce) ?? (await readFile(NOT_BUILT, 'utf8'));
      return answer({ status: 200, headers: pageHeaders(nonce), parts: [text] });
    },

    async asset(name: string, acceptEncoding: string | string[] | undefined): Promise<Answer> {
      const type = TYPES[extname(name)];
      // The folder is flat: `{id}` never contains a slash.
      if (!type || !/^[\w-][\w.-]*$/.test(name)) throw new NotFound('no such file of the page: not found');
      const shared = {
        'content-type': type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'Accept-Encoding',
      };
      for (const [coding, ending] of [
        ['br', '.br'],
        ['gzip', '.gz'],
      ] as const) {
        if (!acceptsCoding(acceptEncoding, coding)) continue;
        const packed = await read(name + ending).catch(missing);
        if (packed)
          return answer({ status: 200, headers: { ...shared, 'content-encoding': coding }, parts: [packed] });
      }
      const plain = await read(name).catch(missing);
      if (!plain) throw new NotFound('no such file of the page: not found');
      return answer({ status: 200, headers: shared, parts: [plain] });
    },
  };
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
