// `npm run bench:queues [-- --quick] [-- --part crowd|board] [-- --json <file>]`: 300 callers in ten queues on the
// real engine, all of whom must be served in turn; and the live board of 500 queues on a fake one.
import { parseArgs } from 'node:util';
import { machineFacts } from '../measure/report.ts';
import { createTables } from '../measure/tables.ts';
import { pinClient } from '../service/processes.ts';
import { BOARD, measureBoard } from './board.ts';
import { measureCrowd } from './crowd.ts';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean' }, part: { type: 'string' }, json: { type: 'string' } },
});
const { quick = false, part } = options;
const { measure, finish } = createTables();
pinClient();
console.log(machineFacts());
if (part === undefined || part === 'crowd')
  await measure('300 callers in 10 queues with 100 members', () => measureCrowd(quick));
if (part === undefined || part === 'board')
  await measure(
    `The board of ${BOARD.queues} queues with ${BOARD.members} members, ${BOARD.readers} readers`,
    () => measureBoard(quick),
  );
finish(options.json);
process.exit();
