import { writeFileSync } from 'node:fs';
import { watchForeign } from '../service/processes.ts';
import { machineFacts, printTable, type Row, type Table } from './report.ts';

const FAILED: Row = { what: 'FAILED', unit: '', measured: Number.NaN, target: { text: 'none', met: false } };

/** Tables of a run: a failure becomes a row of its table, and the other tables are still measured. */
export function createTables() {
  const tables: Table[] = [];
  return {
    async measure(title: string, work: () => Promise<Row[]>): Promise<void> {
      console.error(`${new Date().toTimeString().slice(0, 8)} ${title}`);
      const foreign = watchForeign();
      const rows = await work().catch((error: Error) => {
        console.error(error);
        return [FAILED];
      });
      tables.push({ title, rows, foreign: foreign() });
    },
    /** Prints them, and writes them to this file as JSON. */
    finish(json?: string): void {
      for (const table of tables) printTable(table);
      const targets = tables.flatMap(({ rows }) => rows.flatMap(({ target }) => target ?? []));
      const met = targets.filter((target) => target.met).length;
      console.log(`\n${met} of ${targets.length} targets met on ${machineFacts()}`);
      if (json) writeFileSync(json, `${JSON.stringify({ machine: machineFacts(), tables }, null, 2)}\n`);
    },
  };
}
