// `npm run bench:flow [-- --quick] [-- --part way|apply|states] [-- --json <file>]`: the cost of a call through
// route, opening hours, menu and queue, compared with the same written by hand; how soon a changed route takes effect;
// the cost of phone states.
import { parseArgs } from 'node:util';
import { machineFacts } from '../measure/report.ts';
import { createTables } from '../measure/tables.ts';
import { LARGEST } from '../service/call-flow.ts';
import { pinClient } from '../service/processes.ts';
import { measureApply } from './apply.ts';
import { measureStates } from './states.ts';
import { measureWholeWay } from './whole-way.ts';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean' }, part: { type: 'string' }, json: { type: 'string' } },
});
const { quick = false, part } = options;
const { routes, menus, queues, employees } = LARGEST;
const PARTS = [
  { name: 'way', title: 'A call over route, hours, menu and queue', work: measureWholeWay },
  {
    name: 'apply',
    title: `One changed route of ${routes}, with ${menus} menus, ${queues} queues, ${employees} employees`,
    work: measureApply,
  },
  { name: 'states', title: 'States of phones, per call', work: measureStates },
];
process.setMaxListeners(50);
const { measure, finish } = createTables();
pinClient();
console.log(machineFacts());
for (const { name, title, work } of PARTS)
  if (part === undefined || part === name) await measure(title, () => work(quick));
finish(options.json);
process.exit();
