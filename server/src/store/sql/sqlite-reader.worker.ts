// A reader of the database that runs as a thread or as a separate process.
import { constants, setPriority } from 'node:os';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { OpenTask, ReaderReply, ReaderRequest, ReaderTask } from './sqlite-link.ts';
import { openReading, type Reading } from './sqlite-reading.ts';

const rowsPerBatch = 1000;
const rowsPerPiece = 100;

const file = parentPort ? (workerData as { file: string }).file : String(process.argv[2]);
// A search must not take CPU time from calls and pages.
if (!parentPort) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
let reading: Reading | undefined;
let cursor: Iterator<unknown> | undefined;
let line: (cells: readonly unknown[]) => string;
const encoder = new TextEncoder();
/** Bytes can be transferred to another thread; to another process they would be sent as text anyway. */
const handedOver = parentPort ? (text: string) => encoder.encode(text) : (text: string) => text;

(parentPort ?? process).on('message', async ({ id, task }: ReaderRequest) => {
  try {
    const answered = await answer(opened(), task);
    reply({ id, ...answered });
  } catch (error) {
    const { message, code, errcode } = error as Error & { code?: unknown; errcode?: unknown };
    reply({ id, error: { message, code, errcode } });
  }
});

function reply(message: ReaderReply): void {
  const bytes = message.pieces?.filter((piece) => typeof piece !== 'string') ?? [];
  // Buffers in the transfer list are not copied.
  if (parentPort)
    parentPort.postMessage(
      message,
      bytes.map(({ buffer }) => buffer as ArrayBuffer),
    );
  // Ignore the error when the service is gone: this process then ends by itself.
  else process.send?.(message, undefined, undefined, () => {});
}

/** Opens the database at the first request, and again after a failure to open. */
function opened(): Reading {
  reading ??= openReading(file);
  return reading;
}

type Answer = Pick<ReaderReply, 'table' | 'pieces'>;

async function answer({ db, table }: Reading, task: ReaderTask): Promise<Answer> {
  switch (task.type) {
    case 'begin':
      // The view starts with the first read, not with `begin`.
      db.exec('begin');
      return { table: table('select 1 from settings limit 1') };
    case 'rows':
      return { table: table(task.sql, task.parameters) };
    case 'open':
      await open(db, task);
      return {};
    case 'next':
      return { pieces: nextLines() };
  }
}

async function open(db: DatabaseSync, { sql, parameters, renderer }: OpenTask): Promise<void> {
  line = (await import(renderer.module))[renderer.name];
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  cursor = statement.iterate(...(parameters as SQLInputValue[]));
}

function* nextRows(count: number): Generator<readonly unknown[]> {
  for (let n = 0; n < count; n++) {
    const step = cursor?.next();
    if (!step || step.done) {
      cursor = undefined;
      return;
    }
    yield step.value as readonly unknown[];
  }
}

/** Turns each row into text before reading the next: the garbage collector copies objects that live longer. */
function nextLines(): (Uint8Array | string)[] {
  const pieces: (Uint8Array | string)[] = [];
  for (let rows = 0; rows < rowsPerBatch && cursor; rows += rowsPerPiece) {
    let text = '';
    for (const cells of nextRows(rowsPerPiece)) text += line(cells);
    if (text !== '') pieces.push(handedOver(text));
  }
  return pieces;
}
