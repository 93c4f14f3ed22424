import type { CompiledQuery } from 'kysely';
import type { SqlSearch } from './sql-reader.ts';
import type { ReaderLink } from './sqlite-link.ts';

/** Starting a process takes a fifth of a second, keeping one takes about 25 MB. */
const IDLE_MS = 300_000;

/** Processes that run one search at a time each; the caller limits the number of searches. */
export function createSearchProcesses(start: () => ReaderLink) {
  /** The last used process is taken first, so that surplus ones time out. */
  const idle: { link: ReaderLink; old: NodeJS.Timeout }[] = [];

  function take(): ReaderLink {
    for (let found = idle.pop(); found; found = idle.pop()) {
      clearTimeout(found.old);
      if (found.link.alive()) return found.link;
    }
    return start();
  }

  function put(link: ReaderLink): void {
    const old = setTimeout(() => {
      idle.splice(
        idle.findIndex((entry) => entry.link === link),
        1,
      );
      void link.stop();
    }, IDLE_MS);
    old.unref();
    idle.push({ link, old });
  }

  return {
    open(signal: AbortSignal): SqlSearch {
      const link = take();
      const kill = () => void link.stop();
      signal.addEventListener('abort', kill, { once: true });
      if (signal.aborted) kill();
      return {
        rows: <T>({ sql, parameters }: CompiledQuery) =>
          link.rows({ type: 'rows', sql, parameters }) as Promise<T[]>,
        async close() {
          signal.removeEventListener('abort', kill);
          if (signal.aborted || link.isBusy() || !link.alive()) await link.stop();
          else put(link);
        },
      };
    },
    /** Forgets idle processes; their owner stops them. */
    close(): void {
      for (const { old } of idle.splice(0)) clearTimeout(old);
    },
  };
}
