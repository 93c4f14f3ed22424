// A reader of the database, as a thread or as a process of its own.
import { constants, setPriority } from 'node:os';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { RowRenderer } from './sql-reader.ts';
import type { OpenTask, Query, ReaderReply, ReaderRequest, ReaderTask } from './sqlite-link.ts';
import { openReading, type Reading } from './sqlite-reading.ts';

const rowsPerBatch = 1000;
const rowsPerPiece = 100;

const file = parentPort ? (workerData as { file: string }).file : String(process.argv[2]);
// A search takes what calls and pages leave of the machine.
if (!parentPort) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
let reading: Reading | undefined;
let cursor: Iterator<unknown> | undefined;
let columns: readonly string[] = [];
let line: Render<string> | undefined;
const encoder = new TextEncoder();
/** Bytes can be handed over to another thread; what goes to another process is text anyway. */
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
  // What is not handed over is copied.
  if (parentPort)
    parentPort.postMessage(
      message,
      bytes.map(({ buffer }) => buffer as ArrayBuffer),
    );
  // Nobody to tell when the service is gone: the process then ends by itself.
  else process.send?.(message, undefined, undefined, () => {});
}

/** Opened at the first question and again after a failure to open. */
function opened(): Reading {
  reading ??= openReading(file);
  return reading;
}

type Answer = Pick<ReaderReply, 'table' | 'rendered' | 'pieces'>;

async function answer({ db, table }: Reading, task: ReaderTask): Promise<Answer> {
  switch (task.type) {
    case 'begin':
      // The view begins with the first read, not with `begin`.
      db.exec('begin');
      return { table: table('select 1 from settings limit 1') };
    case 'rows':
      return { table: table(task.sql, task.parameters) };
    case 'rendered': {
      const render = await rendererOf<unknown>(task.renderer);
      return { rendered: Array.from(cellsOf(db, task), render) };
    }
    case 'open':
      await open(db, task);
      return {};
    case 'next':
      return line ? { pieces: nextLines(line) } : { table: { columns, cells: [...nextRows(rowsPerBatch)] } };
  }
}

type Render<T> = (cells: readonly unknown[]) => T;

const rendererOf = async <T>({ module, name }: RowRenderer): Promise<Render<T>> =>
  (await import(module))[name];

/** One after the other: what is made of a row is made before the next is read. */
function* cellsOf(db: DatabaseSync, { sql, parameters }: Query): Generator<readonly unknown[]> {
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  yield* statement.iterate(...(parameters as SQLInputValue[])) as Iterable<unknown> as Iterable<unknown[]>;
}

async function open(db: DatabaseSync, { sql, parameters, renderer }: OpenTask): Promise<void> {
  line = renderer && (await rendererOf<string>(renderer));
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  columns = statement.columns().map(({ name }) => name);
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

/** A row is text before the next is read, and soon bytes: what lives longer, the garbage collector has to copy. */
function nextLines(render: Render<string>): (Uint8Array | string)[] {
  const pieces: (Uint8Array | string)[] = [];
  for (let rows = 0; rows < rowsPerBatch && cursor; rows += rowsPerPiece) {
    let text = '';
    for (const cells of nextRows(rowsPerPiece)) text += render(cells);
    if (text !== '') pieces.push(handedOver(text));
  }
  return pieces;
}
