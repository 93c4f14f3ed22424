import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import { parseAddress } from '../../../lib/network.ts';
import { shownText } from '../../../lib/shown-text.ts';
import type { AuthFailed } from '../../events.ts';
import type { CapturedMessage } from './hep.ts';

/** The engine accepts an answer to a nonce for 32 s; later ones get a new challenge, whatever they say. */
const NONCE_MS = 40_000;
/** One per address and second with a challenge: what 5 000 addresses a second need. */
const MAX_NONCES = 200_000;
const MAX_OPEN = 20_000;
/** How many failures from before the capture count once the address has proven to be real. */
const MAX_EARLIER = 5;
const EARLIER_MS = 60_000;

const RESPONSE = 'SIP/2.0 ';
const NONCE = /\d{1,20}\/[0-9a-f]{32}/g;

interface GuessOptions {
  readonly clock: Clock;
  readonly tell: (failure: AuthFailed) => void;
  /** Addresses of the engine itself. */
  readonly isOwn: (address: string) => boolean;
}

/**
 * Wrong answers to challenges, seen on the wire. Over UDP anybody can forge the sender of a packet, but a nonce only
 * reaches the true owner of an address: a request counts if it holds one that was issued to its own address
 * (contract 17.6). The nonce is searched anywhere in the text, as the engine compares it literally: however odd the
 * headers are, there is no guess without it.
 */
export function createSipGuesses({ clock, tell, isOwn }: GuessOptions) {
  /** `address nonce` → when it was issued; oldest first. */
  const issued = new Map<string, number>();
  /** Requests that are not answered yet: `address call-id cseq`. */
  const open = new Map<string, { count: number; account: string }>();
  /** Requests that were seen; a retransmission is the same guess. */
  const seen = new Map<string, number>();
  const earlier = new Map<string, { count: number; at: number }>();

  function issue(address: string, nonce: string): void {
    remember(issued, `${address} ${nonce}`, clock.now(), MAX_NONCES);
  }

  function isIssued(address: string, nonce: string): boolean {
    const at = issued.get(`${address} ${nonce}`);
    return at !== undefined && clock.now() - at <= NONCE_MS;
  }

  function isGuess({ isUdp, source, text }: CapturedMessage): boolean {
    if (isUdp) return (text.match(NONCE) ?? []).some((nonce) => isIssued(source, nonce));
    // For connections, the engine reports guesses itself, unless its own text would not be UTF-8: then it says nothing.
    return !isUtf8(Buffer.from(text, 'latin1')) && /^(proxy-)?authorization\s*:/im.test(text);
  }

  function request(message: CapturedMessage): void {
    if (!isGuess(message)) return;
    const { source, callId, text } = message;
    const again = hash('sha256', `${source} ${text}`, 'base64');
    if (seen.has(again)) return;
    remember(seen, again, clock.now(), MAX_OPEN);
    const key = `${source} ${callId} ${sequenceOf(text)}`;
    const count = (open.get(key)?.count ?? 0) + 1;
    remember(open, key, { count, account: accountOf(text) }, MAX_OPEN);
  }

  function response({ destination, callId, text }: CapturedMessage): void {
    const status = Number(text.slice(RESPONSE.length, RESPONSE.length + 3));
    if (status < 200) return;
    const isRefused = status === 401 || status === 407;
    if (isRefused) for (const nonce of noncesOf(text)) issue(destination, nonce);
    for (const sequence of [sequenceOf(text), '']) {
      const key = `${destination} ${callId} ${sequence}`;
      const guess = open.get(key);
      if (!guess) continue;
      guess.count--;
      if (guess.count === 0 || !isRefused) open.delete(key);
      if (isRefused) fail(destination, guess.account);
      return;
    }
  }

  function fail(from: string, account: string): void {
    const address = parseAddress(from)?.text;
    if (address === undefined) return;
    const before = earlier.get(address);
    earlier.delete(address);
    const isRecent = before !== undefined && clock.now() - before.at <= EARLIER_MS;
    const failure: AuthFailed = {
      type: 'auth-failed',
      category: 'sip',
      address,
      ...(account !== '' && { account }),
    };
    for (let i = 0; i <= (isRecent ? before.count : 0); i++) tell(failure);
  }

  return {
    take(message: CapturedMessage): void {
      const { source, destination, text } = message;
      const isResponse = text.startsWith(RESPONSE);
      if (!isResponse && isOwn(destination) && !isOwn(source)) request(message);
      if (isResponse && isOwn(source) && !isOwn(destination)) response(message);
    },
    /** Whether this nonce was seen on its way to that address, and is still valid. */
    isIssued,
    /** A failure whose nonce was not seen: it counts once the same address is seen to fail (at most five of them). */
    noteEarlier(address: string): void {
      const count = Math.min(MAX_EARLIER, (earlier.get(address)?.count ?? 0) + 1);
      remember(earlier, address, { count, at: clock.now() }, MAX_OPEN);
    },
  };
}

/** Puts it last; when there are too many, the oldest is dropped. */
function remember<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= most) return;
  const [oldest] = map.keys();
  map.delete(oldest as string);
}

/** The engine's own lines only: other lines of its answer repeat what a stranger sent. */
function noncesOf(text: string): string[] {
  const head = text.slice(0, text.indexOf('\r\n\r\n'));
  return head
    .split('\r\n')
    .filter((line) => /^(WWW|Proxy)-Authenticate: Digest /.test(line))
    .flatMap((line) => /[ ,]nonce="([^"]*)"/.exec(line)?.[1] ?? []);
}

/** Empty if it is written in a way that only the engine can read. */
const sequenceOf = (text: string): string => /^CSeq[ \t]*:[ \t]*(\d+)/im.exec(text)?.[1] ?? '';

/**
 * The account that the sender claims to be, read as the engine does: failures are counted by account, so one account
 * must not have many spellings. Bounded, as a line may be as long as a packet.
 */
function accountOf(text: string): string {
  const line = /^(?:From|f)[ \t]*:([^\r\n]{0,1000})/im.exec(text)?.[1] ?? '';
  // A quoted name may hold what looks like an address.
  const unquoted = line.replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
  const user = /sips?:([^@;>]{0,300})@/i.exec(unquoted)?.[1] ?? '';
  const decoded = user.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return shownText(decoded, 100);
}
