import type { CompiledQuery } from 'kysely';
import type { SqlSearch } from './sql-reader.ts';
import type { ReaderLink } from './sqlite-link.ts';

/** To start one takes a fifth of a second, to keep one some 25 MB. */
const IDLE_MS = 300_000;

/** Processes for searches, one each at a time; how many there are is up to whoever opens searches. */
export function createSearchProcesses(start: () => ReaderLink) {
  /** The one used last is used first, so that those that are too many grow old. */
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
    /** Forgets those that are idle; whoever started them ends them. */
    close(): void {
      for (const { old } of idle.splice(0)) clearTimeout(old);
    },
  };
}
