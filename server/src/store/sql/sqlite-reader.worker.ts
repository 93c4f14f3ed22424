import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { OpenTask, ReaderReply, ReaderRequest, ReaderTask } from './sqlite-reader.ts';
import { openReading, type Reading } from './sqlite-reading.ts';

const rowsPerBatch = 1000;

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread');
let reading: Reading | undefined;
let cursor: Iterator<unknown> | undefined;
let line: ((cells: readonly unknown[]) => string) | undefined;
const encoder = new TextEncoder();

port.on('message', async ({ id, task }: ReaderRequest) => {
  try {
    const rows = await answer(opened(), task);
    // Bytes are handed over, anything else is copied.
    reply({ id, rows }, rows[0] instanceof Uint8Array ? [rows[0].buffer as ArrayBuffer] : []);
  } catch (error) {
    const { message, code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
    reply({ id, error: { message, code, errcode } });
  }
});

function reply(message: ReaderReply, moved: ArrayBuffer[] = []): void {
  port?.postMessage(message, moved);
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
      return open(db, task);
    case 'next':
      return line ? nextLines(line) : [...nextRows()];
  }
}

async function open(db: DatabaseSync, { sql, parameters, renderer }: OpenTask): Promise<unknown[]> {
  line = renderer && (await import(renderer.module))[renderer.name];
  const statement = db.prepare(sql);
  statement.setReturnArrays(line !== undefined);
  cursor = statement.iterate(...(parameters as SQLInputValue[]));
  return [];
}

function* nextRows(): Generator<unknown> {
  for (let n = 0; n < rowsPerBatch; n++) {
    const step = cursor?.next();
    if (!step || step.done) {
      cursor = undefined;
      return;
    }
    yield step.value;
  }
}

/** Each row is text before the next is read: a thousand rows would outlive what the garbage collector does in passing. */
function nextLines(render: (cells: readonly unknown[]) => string): Uint8Array[] {
  let text = '';
  for (const cells of nextRows()) text += render(cells as unknown[]);
  return text === '' ? [] : [encoder.encode(text)];
}
