import { setTimeout as wait } from 'node:timers/promises';
import type { AmiConnection } from '../control/ami.ts';
import type { AsteriskProcess } from './asterisk-process.ts';

/** For calls to end by themselves. */
const GRACE_MS = 3000;
/** For the engine to write down calls that were hung up. */
const HANGUP_MS = 5000;
/** Without calls, it only has to end our registrations, which an unreachable provider never confirms. */
const IDLE_MS = 1500;
const ASK_MS = 500;

/** Gives active calls a moment to end; then the engine hangs them up and exits. */
export async function endAsterisk(process: AsteriskProcess, connection: AmiConnection): Promise<void> {
  const ended = process.ended.then(() => true);
  const isGone = (ms: number) => within(ms, ended);
  const isAttended = connection.isUp;
  const isIdle = isAttended && (await within(ASK_MS, hasNoCalls(connection)));
  if (isAttended) {
    // It may take its time to answer: it unregisters from providers first.
    void connection.command('core stop gracefully').catch(() => {});
    if (await isGone(isIdle ? IDLE_MS : GRACE_MS)) return;
  }
  if (!isIdle) {
    process.signal('SIGTERM');
    // An engine that is still starting ignores it.
    if (await isGone(isAttended ? HANGUP_MS : IDLE_MS)) return;
  }
  process.signal('SIGKILL');
  await isGone(HANGUP_MS);
}

/** False if it cannot be determined: there may be some. */
const hasNoCalls = (connection: AmiConnection): Promise<boolean> =>
  connection.command('core show channels count').then(
    (shown) => /^0 active channels$/m.test(shown),
    () => false,
  );

/** False when it takes longer. */
async function within(ms: number, answer: Promise<boolean>): Promise<boolean> {
  const enough = new AbortController();
  const late = wait(ms, false, { signal: enough.signal }).catch(() => false);
  const result = await Promise.race([answer, late]);
  enough.abort();
  return result;
}
