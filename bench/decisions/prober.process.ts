// Requests system:ping 20 times a second until told to stop; prints the times in milliseconds as JSON.
import { setTimeout as wait } from 'node:timers/promises';
import { mustGet, openPoller } from '../measure/poller.ts';

const poller = await openPoller({ port: Number(process.argv[2]), path: '/pbxcore/api/v3/system:ping' });
const times: number[] = [];
let stopping = false;
process.once('SIGTERM', () => {
  stopping = true;
});
console.log('probing');
while (!stopping) {
  times.push((await mustGet(poller)).ms);
  await wait(50);
}
poller.close();
console.log(JSON.stringify(times));
