import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Stores } from '../make-app.ts';

/** A program of the distribution that people use to write to the database. */
export interface DatabaseTool {
  readonly name: string;
  readonly program: string;
  /** Runs statements, all of which must succeed; resolves to what it printed. */
  run(stores: Stores, ...statements: string[]): Promise<string>;
}

// Not the first in the PATH: a developer's own installation may be another version.
const PYTHON_SCRIPT = `
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=20)
for statement in json.load(sys.stdin):
    for row in db.execute(statement): print("|".join(map(str, row)))
    db.commit()
`;

export const sqliteFile = (stores: Stores): string =>
  join(stores.settings.PBXCORE_DATA_DIR as string, 'pbxcore.sqlite');

export const sqlite3: DatabaseTool = {
  name: 'sqlite3',
  program: '/usr/bin/sqlite3',
  run: (stores, ...statements) =>
    feed(sqlite3.program, ['-bail', '-cmd', '.timeout 20000', sqliteFile(stores)], script(statements)),
};

export const python: DatabaseTool = {
  name: 'Python',
  program: '/usr/bin/python3',
  run: (stores, ...statements) =>
    feed(python.program, ['-c', PYTHON_SCRIPT, sqliteFile(stores)], JSON.stringify(statements)),
};

export const psql: DatabaseTool = {
  name: 'psql',
  program: '/usr/bin/psql',
  run: (stores, ...statements) =>
    feed(
      psql.program,
      ['-XqAt', '-v', 'ON_ERROR_STOP=1', stores.settings.PBXCORE_DATABASE_URL as string],
      script(statements),
    ),
};

export const findTool = ({ program }: DatabaseTool): boolean => existsSync(program);

const script = (statements: readonly string[]): string =>
  statements.map((statement) => `${statement};\n`).join('');

function feed(program: string, args: readonly string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { timeout: 60_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stderr}`));
      else resolve(stdout.trimEnd());
    });
    child.stdin?.on('error', () => {}); // it exited before it had read everything
    child.stdin?.end(input);
  });
}
