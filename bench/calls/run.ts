// `npm run bench:calls [-- --quick] [-- --json <file>]`: what a call costs through the product, beside the same Asterisk
// with a minimal configuration written by hand, in the same run.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machineFacts, printTable, type Row, type Table } from '../measure/report.ts';
import { pinClient, watchForeign } from '../service/processes.ts';
import { measureGrowth } from './growth.ts';
import { measureLag } from './lag.ts';
import { measureIdle, measureMemory, measureRecorded, measureSetup } from './load.ts';
import { openFloor, openProduct } from './target.ts';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'string' } } });
const quick = options.quick ?? false;
process.setMaxListeners(50);
const tables: Table[] = [];

async function measure(title: string, work: () => Promise<Row[]>): Promise<void> {
  console.error(`${new Date().toTimeString().slice(0, 8)} ${title}`);
  const foreign = watchForeign();
  const failed: Row = {
    what: 'FAILED',
    unit: '',
    measured: Number.NaN,
    target: { text: 'none', met: false },
  };
  const rows = await work().catch((error: Error) => {
    console.error(error);
    return [failed];
  });
  tables.push({ title, rows, foreign: foreign() });
}

spawnSync(process.execPath, [join(import.meta.dirname, '../../scripts/setup-test-tools.ts')], {
  stdio: 'inherit',
});
pinClient();
console.log(machineFacts());
const floors = { bare: await openFloor(), records: await openFloor({ keepsRecords: true }) };
const ours = await openProduct();
await measure('Signalling: calls without media', () => measureSetup(floors, ours, quick));
await measure('Recorded calls, a voice in each direction', () => measureRecorded(floors, ours, quick));
await measure('Nobody calls; 600 phones are registered or known', () => measureIdle(ours, quick ? 5 : 20));
await measure('Memory', () => measureMemory(ours));
await measure('Status of a phone after its registration', () => measureLag(ours, quick ? 30 : 200));
await floors.bare.stop();
await floors.records.stop();
await ours.stop();
await measure('Growth', () => measureGrowth(quick ? [100, 1000] : [100, 1000, 5000], quick ? 3 : 7));

for (const table of tables) printTable(table);
const targets = tables.flatMap(({ rows }) => rows.flatMap(({ target }) => target ?? []));
console.log(
  `\n${targets.filter(({ met }) => met).length} of ${targets.length} targets met on ${machineFacts()}`,
);
if (options.json)
  writeFileSync(options.json, `${JSON.stringify({ machine: machineFacts(), tables }, null, 2)}\n`);
process.exit();
