// Prints a line whenever a call begins, is answered or ends, and reconnects after a restart of the service or a lost
// connection; Node 24 runs it as it is:
//   PBX_KEY=<API key> node examples/call-follower/call-follower.ts
import type { CallEvent } from '@pbxcore/client';
import { FollowRefused, followEvents, type PbxEvent } from '@pbxcore/client/events';

const { PBX_URL = 'http://127.0.0.1:8080', PBX_KEY = '' } = process.env;
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

/** Calls under way, as last received. */
const calls = new Map<string, CallEvent>();

function show(call: CallEvent) {
  const { src_num, dst_num, state, disposition, totalBillsec } = call;
  const outcome = state === 'ended' && disposition ? ` ${disposition}, ${totalBillsec} s` : '';
  console.log(`${src_num} -> ${dst_num} ${state}${outcome}`);
}

function take(call: CallEvent) {
  if (calls.get(call.linkedid)?.state !== call.state) show(call);
  if (call.state === 'ended') calls.delete(call.linkedid);
  else calls.set(call.linkedid, call);
}

function hear({ event, data }: PbxEvent) {
  if (event === 'call') take(data);
  else if (event === 'gap') console.log(`some changes were missed (${data.reason})`);
  else if (event === 'snapshot' && data.topic === 'calls') {
    // The complete state: a call that is missing here has ended unnoticed.
    const now = new Set(data.calls.map(({ linkedid }) => linkedid));
    for (const call of calls.values()) if (!now.has(call.linkedid)) take({ ...call, state: 'ended' });
    data.calls.forEach(take);
  }
}

try {
  await followEvents({
    url: PBX_URL,
    credential: PBX_KEY,
    topics: ['calls'],
    signal: stop.signal,
    onEvent: hear,
    onState(now) {
      if (now.state === 'open') console.log('connected');
      else if (now.state === 'reconnecting') console.log(`not connected: ${now.reason}`);
    },
  });
} catch (error) {
  if (!(error instanceof FollowRefused)) throw error;
  console.error(`refused (${error.status}): ${error.message}`);
  process.exitCode = 1;
}
