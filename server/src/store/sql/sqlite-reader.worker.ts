import type { SQLInputValue } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { RowRenderer } from './sql-reader.ts';
import type { ReaderReply, ReaderRequest, ReaderTask } from './sqlite-reader.ts';
import { openReading, type Reading } from './sqlite-reading.ts';

const rowsPerBatch = 1000;

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread');
let reading: Reading | undefined;
let cursor: Iterator<unknown> | undefined;
let render: ((rows: readonly unknown[]) => string) | undefined;

port.on('message', async ({ id, task }: ReaderRequest) => {
  try {
    reply({ id, rows: await answer(opened(), task) });
  } catch (error) {
    const { message, code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
    reply({ id, error: { message, code, errcode } });
  }
});

function reply(message: ReaderReply): void {
  port?.postMessage(message);
}

/** Opened at the first question and again after a failure to open. */
function opened(): Reading {
  reading ??= openReading((workerData as { file: string }).file);
  return reading;
}

function answer({ db, rows }: Reading, task: ReaderTask): unknown[] | Promise<unknown[]> {
  switch (task.type) {
    case 'begin':
      // The view begins with the first read, not with `begin`.
      db.exec('begin');
      return rows('select 1 from settings limit 1');
    case 'rows':
      return rows(task.sql, task.parameters);
    case 'open':
      cursor = db.prepare(task.sql).iterate(...(task.parameters as SQLInputValue[]));
      return useRenderer(task.renderer);
    case 'next': {
      const found = nextRows();
      return render && found.length > 0 ? [render(found)] : found;
    }
  }
}

async function useRenderer(renderer: RowRenderer | undefined): Promise<unknown[]> {
  render = renderer && (await import(renderer.module))[renderer.name];
  return [];
}

function nextRows(): unknown[] {
  const rows: unknown[] = [];
  while (rows.length < rowsPerBatch) {
    const step = cursor?.next();
    if (!step || step.done) {
      cursor = undefined;
      break;
    }
    rows.push(step.value);
  }
  return rows;
}
