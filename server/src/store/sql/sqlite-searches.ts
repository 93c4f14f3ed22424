import type { CompiledQuery } from 'kysely';
import type { SqlSearch } from './sql-reader.ts';
import { type ReaderLink, startProcess } from './sqlite-link.ts';

/** To start one takes a fifth of a second, to keep one some 25 MB. */
const IDLE_MS = 300_000;

/** Processes for searches, one each at a time; how many there are is up to whoever opens searches. */
export function createSearchProcesses(file: string) {
  const all = new Set<ReaderLink>();
  /** The one used last is used first, so that those that are too many grow old. */
  const idle: { link: ReaderLink; old: NodeJS.Timeout }[] = [];

  function take(): ReaderLink {
    for (let found = idle.pop(); found; found = idle.pop()) {
      clearTimeout(found.old);
      if (found.link.alive()) return found.link;
      all.delete(found.link);
    }
    const link = startProcess(file);
    all.add(link);
    return link;
  }

  function put(link: ReaderLink): void {
    const old = setTimeout(() => {
      idle.splice(
        idle.findIndex((entry) => entry.link === link),
        1,
      );
      void end(link);
    }, IDLE_MS);
    old.unref();
    idle.push({ link, old });
  }

  async function end(link: ReaderLink): Promise<void> {
    all.delete(link);
    await link.stop();
  }

  return {
    open(signal: AbortSignal): SqlSearch {
      const link = take();
      const kill = () => void end(link);
      signal.addEventListener('abort', kill, { once: true });
      if (signal.aborted) kill();
      return {
        rows: <T>({ sql, parameters }: CompiledQuery) =>
          link.rows({ type: 'rows', sql, parameters }) as Promise<T[]>,
        async close() {
          signal.removeEventListener('abort', kill);
          if (signal.aborted || link.isBusy() || !link.alive()) await end(link);
          else put(link);
        },
      };
    },
    async close(): Promise<void> {
      for (const { old } of idle) clearTimeout(old);
      await Promise.all([...all].map(end));
    },
  };
}
