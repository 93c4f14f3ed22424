import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { RowRenderer } from './sql-reader.ts';
import type { ReaderReply, ReaderRequest, ReaderTask } from './sqlite-reader.ts';

const statementsKept = 50;
const rowsPerBatch = 1000;

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread');
let database: DatabaseSync | undefined;
let cursor: Iterator<unknown> | undefined;
let render: ((rows: readonly unknown[]) => string) | undefined;
const statements = new Map<string, StatementSync>();

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
function opened(): DatabaseSync {
  database ??= new DatabaseSync((workerData as { file: string }).file, { readOnly: true, timeout: 5000 });
  return database;
}

function answer(db: DatabaseSync, task: ReaderTask): unknown[] | Promise<unknown[]> {
  switch (task.type) {
    case 'begin':
      // The view begins with the first read, not with `begin`.
      db.exec('begin');
      db.prepare('select 1 from settings limit 1').all();
      return [];
    case 'rows':
      return prepared(db, task.sql).all(...(task.parameters as SQLInputValue[]));
    case 'open':
      cursor = db.prepare(task.sql).iterate(...(task.parameters as SQLInputValue[]));
      return useRenderer(task.renderer);
    case 'next': {
      const rows = nextRows();
      return render && rows.length > 0 ? [render(rows)] : rows;
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

function prepared(db: DatabaseSync, sql: string): StatementSync {
  const statement = statements.get(sql) ?? db.prepare(sql);
  if (statements.size >= statementsKept) statements.clear();
  statements.set(sql, statement);
  return statement;
}
