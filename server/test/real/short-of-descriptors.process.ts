import { closeSync, openSync, readdirSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { runProgram } from '../../src/engine/asterisk/installation/run-program.ts';
import { checkModule } from '../../src/module-host/check-module.ts';
import { findConfinement } from '../../src/module-host/process/confinement.ts';
import { LIMITS } from '../../src/module-host/process/limits.ts';
import { startProcess } from '../../src/store/sql/sqlite-link.ts';

/** The result of one attempt. */
export interface Attempt {
  /** Free descriptors it started with; `null` = unlimited. */
  readonly left: number | null;
  /** `done`, or why not. */
  readonly outcome: string;
  /** Descriptors that were not closed again. */
  readonly lost: number;
}

/** Successes in a row after which more descriptors change nothing. */
const ENOUGH = 3;
const MOST = 40;
const [what = '', place = ''] = process.argv.slice(2);

/** Everything in the service that starts a process. */
const STARTS: Readonly<Record<string, () => Promise<unknown>>> = {
  module: () => checkModule({ folder: place, pbxVersion: '1.0.0', closedPorts: [] }),
  async confinement() {
    const { holds } = await findConfinement(LIMITS.dataMb);
    if (holds.length === 0) throw new Error('the machine offers nothing');
  },
  async program() {
    const { code, stderr } = await runProgram('true', [], { env: {} });
    if (code !== 0) throw new Error(stderr.trim());
  },
  async search() {
    const link = startProcess(place, () => {});
    try {
      await link.rows({ type: 'rows', sql: 'select 1', parameters: [] });
    } finally {
      await link.stop();
    }
  },
};

const descriptors = () => readdirSync('/proc/self/fd').length;

/** Descriptors of something that has ended are closed a little later. */
async function lostSince(before: number): Promise<number> {
  for (let looks = 0; looks < 500 && descriptors() > before; looks++) await wait(20);
  return descriptors() - before;
}

async function attempt(left: number | null): Promise<string> {
  const before = descriptors();
  const held: number[] = [];
  try {
    while (left !== null) held.push(openSync('/dev/null', 'r'));
  } catch {
    for (const fd of held.splice(0, left ?? 0)) closeSync(fd);
  }
  let outcome = 'done';
  try {
    await STARTS[what]?.();
  } catch (error) {
    outcome = String(error);
  }
  for (const fd of held) closeSync(fd);
  const told: Attempt = { left, outcome, lost: await lostSince(before) };
  await new Promise((resolve) => process.send?.(told, resolve));
  return outcome;
}

// First without any, as in a service that has not started any process yet.
await attempt(0);
await attempt(null);
for (let left = 0, done = 0; done < ENOUGH && left < MOST; left++)
  done = (await attempt(left)) === 'done' ? done + 1 : 0;
// Node keeps a timer for programs that it could not start.
process.exit();
