import { open } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';

const MAX_READ = 64 * 1024;
/** What it says of a registration that was refused, with the code that the provider answered. */
const LINE =
  /(?:Temporal response '(\d{3})'|'?(\d{3})(?:'| Forbidden) fatal response|Fatal response '(\d{3})') received from '[^'\n]*' on registration attempt to '([^'\n]*)'/gi;

/** SIP's own, or not as HTTP has them (RFC 3261). */
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
 * Why a provider refused. The engine tells it nowhere but in its log, where strangers may write too: so what is taken from
 * there is three digits, of a line that names our own address with the provider.
 */
export function createRefusalReasons({ logFile }: { readonly logFile: string }) {
  return {
    /** Of the last attempt, by what we register as: `sip:user@host:5060`. */
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
