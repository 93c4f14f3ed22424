// `npm run bench:explain`: what it costs to explain a call in the largest exchange that the contract allows, over HTTP.
import { machineFacts, median, printTable, quantile } from '../measure/report.ts';
import { FIRST_NUMBER, fillEmployees } from '../service/employees.ts';
import { cpuMs, pinClient, watchForeign } from '../service/processes.ts';
import { startService } from '../service/service.ts';

const EMPLOYEES = 5000;
const ROUTES = 1000;
const MENUS = 500;
const QUEUES = 500;
const ROUNDS = 200;
/** At most, in milliseconds. */
const TARGET_MS = 20;

pinClient();
console.log(machineFacts());
const service = await startService({});
const { call, send, pid, stop } = service;
await fillEmployees(call, 0, EMPLOYEES);
const employee = (n: number) => String(FIRST_NUMBER + (n % EMPLOYEES));
for (let n = 0; n < QUEUES; n++)
  await call('POST', '/call-queues', {
    name: `Queue ${n}`,
    extension: String(6000 + n),
    timeout_to_redirect_to_extension: 60,
    timeout_extension: employee(n),
    members: Array.from({ length: 10 }, (_, at) => ({ extension: employee(n * 10 + at) })),
  });
for (let n = 0; n < MENUS; n++)
  await call('POST', '/ivr-menu', {
    name: `Menu ${n}`,
    extension: String(7000 + n),
    timeout_extension: String(6000 + n),
    allow_enter_any_internal_extension: true,
    actions: [{ digits: '1', extension: employee(n) }],
  });
// Route 1 is one of them.
for (let n = 1; n < ROUTES; n++)
  await call('POST', '/incoming-routes', {
    number: String(4_930_000 + n),
    extension: String(7000 + (n % MENUS)),
  });

const times: number[] = [];
const foreign = watchForeign();
let before = 0;
for (let round = -20; round < ROUNDS; round++) {
  if (round === 0) before = cpuMs(pid);
  const began = performance.now();
  await send('GET', `/incoming-routes:explain?number=${4_930_500 + (round % 400)}&digits=9,t`);
  if (round >= 0) times.push(performance.now() - began);
}
const cpu = (cpuMs(pid) - before) / ROUNDS;
await stop();
const target = (value: number) => ({ text: `<= ${TARGET_MS}`, met: value <= TARGET_MS });
printTable({
  title: `:explain at ${ROUTES} routes, ${MENUS} menus, ${QUEUES} queues, ${EMPLOYEES} employees`,
  rows: [
    { what: 'CPU of the service', unit: 'ms', measured: cpu },
    { what: 'median', unit: 'ms', measured: median(times), target: target(median(times)) },
    { what: 'p95', unit: 'ms', measured: quantile(times, 0.95), target: target(quantile(times, 0.95)) },
  ],
  foreign: foreign(),
});
