import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { publicAccess, type Route, route } from '../../../http/route.ts';
import { createAsset } from './asset.ts';
import { loadScalarScript } from './scalar-script.ts';

const ASSETS = join(import.meta.dirname, '../../../../assets/docs');

/** Nothing is loaded from other hosts (contract 10). Scalar creates style elements, hence the one exception. */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
};

/** Always revalidated, mostly with 304: the page and its parts must match after an upgrade. */
const REVALIDATED = { 'cache-control': 'no-cache' };

/** The interactive documentation. The page needs no token; the document that it loads does. */
export function docsRoutes(): Route[] {
  const file = (name: string) => () => readFile(join(ASSETS, name));
  const served = (
    path: string,
    type: string,
    load: () => Promise<Buffer>,
    headers: Record<string, string> = {},
  ) => {
    const serve = createAsset({ load, headers: { 'content-type': type, ...REVALIDATED, ...headers } });
    return page(path, ({ headers: request }) => serve(request));
  };

  return [
    served('/docs', 'text/html; charset=utf-8', file('page.html'), PAGE_HEADERS),
    served('/docs/page.js', 'text/javascript; charset=utf-8', file('page.js')),
    served('/docs/page.css', 'text/css; charset=utf-8', file('page.css')),
    served('/docs/scalar.js', 'text/javascript; charset=utf-8', loadScalarScript),
  ];
}

const page = (path: string, handle: Route['handle']): Route =>
  route({
    method: 'GET',
    path,
    outside: true,
    hidden: true,
    function: 'docs',
    access: publicAccess,
    summary: 'Documentation for people',
    handle,
  });
