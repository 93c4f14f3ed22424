import { lookup } from 'node:dns/promises';
import { parseNetwork } from '../../../lib/network.ts';

const REFRESH_MS = 60_000;

interface HostAddressOptions {
  /** A name stands for other addresses than before. */
  readonly onChange: () => void;
  readonly resolve?: (name: string) => Promise<readonly string[]>;
  readonly refreshMs?: number;
}

/**
 * What the names of providers stand for. Looked up here and beside everything else: the engine would stand still while a
 * name server is silent.
 */
export function createHostAddresses(options: HostAddressOptions) {
  const { onChange, resolve = lookUp, refreshMs = REFRESH_MS } = options;
  /** Names without an answer stay with what they last stood for. */
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

  /** Not while the last round still waits for a silent name server. */
  async function askAll(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    await ask(names);
    isAsking = false;
  }

  const timer = setInterval(() => void askAll(), refreshMs);
  timer.unref();

  return {
    /** These from now on; `onChange` tells when new ones are known. */
    follow(hosts: Iterable<string>): void {
      const before = names;
      names = new Set([...hosts].filter((host) => host !== '' && !parseNetwork(host)));
      for (const name of known.keys()) if (!names.has(name)) known.delete(name);
      const added = [...names].filter((name) => !before.has(name));
      if (added.length > 0) void ask(added);
    },
    /** An address or a range stands for itself. */
    of: (host: string): readonly string[] => known.get(host) ?? (parseNetwork(host) ? [host] : []),
    close(): void {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

const lookUp = async (name: string): Promise<string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address);
