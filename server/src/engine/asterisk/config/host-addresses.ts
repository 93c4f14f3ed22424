import { lookup } from 'node:dns/promises';
import { parseNetwork } from '../../../lib/network.ts';

const REFRESH_MS = 60_000;

interface HostAddressOptions {
  /** A name now resolves to other addresses. */
  readonly onChange: () => void;
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  readonly refreshMs?: number;
}

/**
 * Resolves the host names of providers. Looked up here, in the background: the engine would block while a name server
 * does not answer.
 */
export function createHostAddresses(options: HostAddressOptions) {
  const { onChange, resolve = lookUp, refreshMs = REFRESH_MS } = options;
  /** Names without an answer keep their last addresses. */
  const known = new Map<string, readonly string[]>();
  let names = new Set<string>();
  let isClosed = false;
  let isAsking = false;

  async function ask(asked: Iterable<string>): Promise<void> {
    const changes = await Promise.all(
      [...asked].map(async (name) => {
        const found = await resolve(name).catch((): readonly string[] => []);
        const addresses = [...new Set(found)].sort();
        const isSame = addresses.join() === (known.get(name) ?? []).join();
        if (addresses.length === 0 || isSame || !names.has(name)) return false;
        known.set(name, addresses);
        return true;
      }),
    );
    if (!isClosed && changes.includes(true)) onChange();
  }

  /** Skipped while the last round still waits for a silent name server. */
  async function askAll(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    await ask(names);
    isAsking = false;
  }

  const timer = setInterval(() => void askAll(), refreshMs);
  timer.unref();

  return {
    /** Follows these names from now on; `onChange` is called when new addresses are known. */
    follow(hosts: Iterable<string>): void {
      const before = names;
      names = new Set([...hosts].filter((host) => host !== '' && !parseNetwork(host)));
      for (const name of known.keys()) if (!names.has(name)) known.delete(name);
      const added = [...names].filter((name) => !before.has(name));
      if (added.length > 0) void ask(added);
    },
    /** An address or a range resolves to itself. */
    of: (host: string): readonly string[] => known.get(host) ?? (parseNetwork(host) ? [host] : []),
    close(): void {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

const lookUp = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);
