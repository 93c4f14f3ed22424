// `npm run bench:explain`: the cost of explaining a call over HTTP in the largest exchange that the contract allows.
import { machineFacts, median, printTable, quantile } from '../measure/report.ts';
import { fillCallFlow, LARGEST, lineNumber } from '../service/call-flow.ts';
import { fillEmployees } from '../service/employees.ts';
import { cpuMs, pinClient, watchForeign } from '../service/processes.ts';
import { startService } from '../service/service.ts';

const ROUNDS = 200;
/** Limit in milliseconds. */
const TARGET_MS = 20;

pinClient();
console.log(machineFacts());
const service = await startService({});
const { call, send, pid, stop } = service;
await fillEmployees(call, 0, LARGEST.employees);
await fillCallFlow(call, LARGEST);

const times: number[] = [];
const foreign = watchForeign();
let before = 0;
for (let round = -20; round < ROUNDS; round++) {
  if (round === 0) before = cpuMs(pid);
  const began = performance.now();
  await send('GET', `/incoming-routes:explain?number=${lineNumber(500 + (round % 400))}&digits=9,t`);
  if (round >= 0) times.push(performance.now() - began);
}
const cpu = (cpuMs(pid) - before) / ROUNDS;
await stop();
const target = (value: number) => ({ text: `<= ${TARGET_MS}`, met: value <= TARGET_MS });
const { routes, menus, queues, employees } = LARGEST;
printTable({
  title: `:explain at ${routes} routes, ${menus} menus, ${queues} queues, ${employees} employees`,
  rows: [
    { what: 'CPU of the service', unit: 'ms', measured: cpu },
    { what: 'median', unit: 'ms', measured: median(times), target: target(median(times)) },
    { what: 'p95', unit: 'ms', measured: quantile(times, 0.95), target: target(quantile(times, 0.95)) },
  ],
  foreign: foreign(),
});
