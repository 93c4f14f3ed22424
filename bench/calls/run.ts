// `npm run bench:calls [-- --quick] [-- --json <file>]`: the cost of a call through the product, compared with the same
// Asterisk with a minimal configuration written by hand, in the same run.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machineFacts } from '../measure/report.ts';
import { createTables } from '../measure/tables.ts';
import { pinClient } from '../service/processes.ts';
import { measureGrowth } from './growth.ts';
import { measureLag } from './lag.ts';
import { measureIdle, measureMemory, measureRecorded, measureSetup } from './load.ts';
import { openFloor, openProduct } from './target.ts';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'string' } } });
const quick = options.quick ?? false;
process.setMaxListeners(50);
const { measure, finish } = createTables();

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

finish(options.json);
process.exit();
