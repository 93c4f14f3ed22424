// A ban written to Redis while many others are being written must be in the next poll.
import { setTimeout as wait } from 'node:timers/promises';
import type { Row } from '../measure/report.ts';
import { ban, bans } from './bans.ts';
import { type DecisionService, STREAM, startDecisionService } from './service.ts';

const STREAMING = 10_000;
const HANDFUL = 100;
const TRIALS_PER_STREAM = 10;

export async function measureFreshness(trials: number): Promise<Row[]> {
  const service = await startDecisionService('Redis', []);
  const key = await service.createBouncerKey();
  let misses = 0;
  for (let trial = 0; trial < trials; ) {
    const stream = streamIn(service);
    for (let i = 0; i < TRIALS_PER_STREAM && trial < trials; i++, trial++) {
      await stream.reached((i * STREAMING) / TRIALS_PER_STREAM);
      const fresh = ban(3_000_000 + trial);
      await service.write([fresh]);
      if (!(await pollText(service, key)).includes(`"${fresh.value}"`)) misses++;
    }
    await stream.reached(STREAMING);
  }
  await service.stop();
  return [
    {
      what: `bans missing from the next poll, of ${trials} written while ${STREAMING} others stream in`,
      unit: '',
      measured: misses,
      target: { text: '0', met: misses === 0 },
    },
  ];
}

/** Writes all the others (renewing them the next time), a handful at a time. */
function streamIn(service: DecisionService) {
  let written = 0;
  let failure: unknown;
  (async () => {
    for (; written < STREAMING; written += HANDFUL) await service.write(bans(written, written + HANDFUL));
  })().catch((error) => {
    failure = error;
  });
  return {
    async reached(count: number): Promise<void> {
      while (written < count && failure === undefined) await wait(1);
      if (failure !== undefined) throw failure;
    },
  };
}

async function pollText(service: DecisionService, key: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${service.port}${STREAM}`, { headers: { 'x-api-key': key } });
  if (answer.status !== 200) throw new Error(`answered with ${answer.status}`);
  return answer.text();
}
