import { must, shown } from './broken-module.ts';

/** Of a raw body: as much as of a JSON body. */
export const MAX_RAW_BYTES = 1024 * 1024;

interface Declared {
  readonly body?: unknown;
  readonly maxBytes?: unknown;
  readonly csv?: unknown;
  readonly verb?: unknown;
}

/** How many raw bytes an operation takes. `undefined`: it takes JSON. */
export function declareRaw({ body, maxBytes, csv, verb }: Declared, where: string): number | undefined {
  if (body !== 'raw') {
    must(typeof body !== 'string', `${where}: body ${shown(body)} is neither fields nor 'raw'`);
    must(maxBytes === undefined, `${where}: maxBytes is for operations with body: 'raw'`);
    return undefined;
  }
  must(verb !== 'GET', `${where}: a GET has no body`);
  must(csv !== true, `${where}: csv is read out of a body, and body: 'raw' leaves it as it came`);
  const most = maxBytes ?? MAX_RAW_BYTES;
  must(
    typeof most === 'number' && Number.isInteger(most) && most >= 1 && most <= MAX_RAW_BYTES,
    `${where}: maxBytes must be 1..${MAX_RAW_BYTES}`,
  );
  return most;
}
