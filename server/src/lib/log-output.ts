import type { Clock } from './clock.ts';

/**
 * Writes bytes to the destination of the log. Never waits: `done` is called later, once, with an error or with the
 * number of bytes written.
 */
export type LogSink = (bytes: Buffer, done: (error: Error | null | undefined, taken: number) => void) => void;

export interface LogOutput {
  /** Returns at once, whatever the fate of earlier lines. */
  write(line: string): void;
  /** Resolves when everything is written, or to `false` when the time is over. */
  finish(withinMs: number): Promise<boolean>;
}

interface LogOutputOptions {
  readonly sink: LogSink;
  readonly clock: Clock;
  /** Called when there is room again after lines were dropped; what it writes appears where they are missing. */
  readonly onLost: (loss: { lines: number; since: string }) => void;
  /** How many characters are kept while the sink accepts nothing. */
  readonly room?: number;
  readonly retryMs?: number;
}

/** Size of one write; data being written can no longer be dropped. */
const CHUNK = 64 * 1024;

/**
 * Logging never blocks or ends the service (contract 17.21): lines wait here while the sink is busy or fails, and when
 * there is no room for more they are dropped and counted. One write at a time, so lines stay in order; a failed one is
 * retried, whatever the reason: disks get space, and a named pipe gets another reader.
 */
export function createLogOutput(options: LogOutputOptions): LogOutput {
  const { sink, clock, onLost, room = 1024 * 1024, retryMs = 1000 } = options;
  let lines: string[] = [];
  let waiting = 0;
  let chunk: Buffer | undefined;
  let scheduled = false;
  let lost = 0;
  let lostSince = 0;
  let idle: (() => void) | undefined;

  function write(line: string): void {
    // After one dropped line all are dropped until there is room for many: one gap, reported in its place.
    if (lost > 0 || (waiting > 0 && waiting + line.length > room)) {
      if (lost++ === 0) lostSince = clock.now();
      return;
    }
    lines.push(line);
    waiting += line.length;
    if (scheduled) return;
    scheduled = true;
    // Lines from one turn of the event loop are written together.
    setImmediate(writeNext);
  }

  function writeNext(): void {
    chunk ??= takeChunk();
    sink(chunk, (error, taken) => {
      if (error) return void setTimeout(writeNext, retryMs).unref();
      const rest = chunk?.subarray(taken);
      chunk = rest?.length ? rest : undefined;
      if (lost > 0 && waiting <= room / 2) tellLoss();
      if (chunk || lines.length > 0) return writeNext();
      scheduled = false;
      idle?.();
    });
  }

  function takeChunk(): Buffer {
    let size = 0;
    let count = 0;
    while (count < lines.length && (count === 0 || size < CHUNK)) size += lines[count++]?.length ?? 0;
    const text = lines.slice(0, count).join('');
    lines = lines.slice(count);
    waiting -= size;
    return Buffer.from(text);
  }

  function tellLoss(): void {
    const loss = { lines: lost, since: new Date(lostSince).toISOString() };
    lost = 0;
    onLost(loss);
  }

  return {
    write,
    async finish(withinMs) {
      if (!scheduled) return true;
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(false), withinMs);
        idle = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
    },
  };
}
