import { open } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';

const MAX_READ = 64 * 1024;
/** The engine's line about a refused registration, with the status code of the provider. */
const LINE =
  /(?:Temporal response '(\d{3})'|'?(\d{3})(?:'| Forbidden) fatal response|Fatal response '(\d{3})') received from '[^'\n]*' on registration attempt to '([^'\n]*)'/gi;

/** Phrases that only SIP has, or that differ from HTTP's (RFC 3261). */
const PHRASES: Readonly<Record<string, string>> = {
  416: 'Unsupported URI Scheme',
  420: 'Bad Extension',
  423: 'Interval Too Brief',
  480: 'Temporarily Unavailable',
  482: 'Loop Detected',
  483: 'Too Many Hops',
  484: 'Address Incomplete',
  488: 'Not Acceptable Here',
  500: 'Server Internal Error',
  503: 'Service Unavailable',
  504: 'Server Time-out',
  600: 'Busy Everywhere',
  603: 'Decline',
  606: 'Not Acceptable',
};

/**
 * Why a provider refused. The engine reports it only in its log, where strangers may write too: so only three digits
 * are taken from there, out of a line that contains our own address with the provider.
 */
export function createRefusalReasons({ logFile }: { readonly logFile: string }) {
  return {
    /** The reason of the last attempt, by the address that we register: `sip:user@host:5060`. */
    async of(clientUri: string): Promise<string | undefined> {
      const text = await readEnd(logFile).catch(() => '');
      const code = [...text.matchAll(LINE)]
        .findLast(([, , , , uri]) => uri === clientUri)
        ?.slice(1, 4)
        .find(Boolean);
      if (code === undefined) return undefined;
      return `the provider answered ${code} ${PHRASES[code] ?? STATUS_CODES[code] ?? ''}`.trimEnd();
    },
  };
}

async function readEnd(path: string): Promise<string> {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  const from = Math.max(0, size - MAX_READ);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
  return buffer.toString('utf8', 0, bytesRead);
}
