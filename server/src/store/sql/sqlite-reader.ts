import type { CompiledQuery } from 'kysely';
import { unavailable } from './sql-errors.ts';
import type { SqlReader, SqlView } from './sql-reader.ts';
import { type ReaderLink, startProcess, startThread } from './sqlite-link.ts';
import { createSearchProcesses } from './sqlite-searches.ts';
import { createReaderThreads } from './sqlite-threads.ts';

/** Pages use threads, which are fast to ask; searches use processes, which can be killed; each export has its own. */
export function createSqliteReader(file: string, { lookUp }: Pick<SqlReader, 'lookUp'>): SqlReader {
  /** All links that have not ended yet, including those of views. */
  const running = new Set<ReaderLink>();
  const threads = createReaderThreads(() => begin(startThread));
  const searches = createSearchProcesses(() => begin(startProcess));
  let isClosed = false;

  function begin(start: typeof startThread): ReaderLink {
    // A reader started after the close would create files beside the database again.
    if (isClosed) throw unavailable(new Error('the database is closed'));
    const link = start(file, () => running.delete(link));
    running.add(link);
    return link;
  }

  return {
    rows: <T>({ sql, parameters }: CompiledQuery, signal?: AbortSignal) =>
      threads.rows({ type: 'rows', sql, parameters }, signal) as Promise<T[]>,
    lookUp,
    openSearch: async (signal) => searches.open(signal),
    async openView({ signal, searches: isSlow }) {
      const link = begin(isSlow ? startProcess : startThread);
      const stop = () => void link.stop();
      signal.addEventListener('abort', stop, { once: true });
      const close = async () => {
        signal.removeEventListener('abort', stop);
        await link.stop();
      };
      try {
        await link.run({ type: 'begin' });
      } catch (error) {
        await close();
        throw error;
      }
      return createView(link, close);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      searches.close();
      await Promise.all([...running].map((link) => link.stop()));
    },
  };
}

const createView = (link: ReaderLink, close: () => Promise<void>): SqlView => ({
  rows: <T>({ sql, parameters }: CompiledQuery) =>
    link.rows({ type: 'rows', sql, parameters }) as Promise<T[]>,
  async *lines({ sql, parameters }, renderer) {
    await link.run({ type: 'open', sql, parameters, renderer });
    const next = async () => (await link.run({ type: 'next' })).pieces ?? [];
    let coming = next();
    for (;;) {
      const pieces = await coming;
      if (pieces.length === 0) return;
      // The next pieces are read while these are consumed.
      coming = next();
      coming.catch(() => {}); // an error surfaces when it is awaited, if ever
      yield isText(pieces) ? pieces.join('') : Buffer.concat(pieces as Uint8Array[]);
    }
  },
  close,
});

const isText = (pieces: readonly (Uint8Array | string)[]): pieces is string[] =>
  typeof pieces[0] === 'string';
