import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingProgram } from './bouncer.ts';
import type { NetSpace } from './netns.ts';
import { type RunningProcess, startProcess } from './running-process.ts';
import { answerScenario, callScenario, refuseScenario, registerScenario } from './sipp-scenarios.ts';
import { toneUlaw } from './tone.ts';

export const findSipp = (): boolean => !missingProgram('sipp');

/** Many phones at one address. */
export interface SippAccount {
  readonly number: string;
  readonly secret: string;
}

interface Place {
  /** Where the phones are. */
  readonly address: string;
  /** The exchange. */
  readonly server: string;
  /** A network to use instead of this machine's. */
  readonly space?: NetSpace;
}

/** Each account registers with its own credentials; rejects if one gets an answer other than `outcome`. */
export async function registerMany(
  place: Place,
  accounts: readonly SippAccount[],
  options: { expires?: number; outcome?: number } = {},
): Promise<void> {
  const rows = accounts.map(({ number, secret }) => [number, credentials(number, secret), '']);
  await toEnd(place, registerScenario(options), rows, { calls: rows.length, rate: 50 });
}

/** Phones that answer every call with the same tone until stopped. */
export async function startAnswering(place: Place, hz?: number): Promise<RunningProcess> {
  return launch(place, (folder) => soundIn(folder, hz, answerScenario), [], []);
}

/** Phones that refuse every call. */
export async function startRefusing(place: Place, status = '486 Busy Here'): Promise<RunningProcess> {
  return launch(place, async () => refuseScenario(status), [], []);
}

interface ManyCalls {
  /** Who calls whom; used in turn. */
  readonly pairs: readonly { readonly from: SippAccount; readonly to: string }[];
  readonly calls: number;
  /** New calls per second. */
  readonly rate: number;
  /** Maximum of simultaneous calls; further ones wait. */
  readonly limit?: number;
  readonly talkMs: number;
  /** The callers' tone. */
  readonly hz?: number;
}

/** Rejects if any call fails. */
export async function callMany(place: Place, { pairs, talkMs, hz, ...load }: ManyCalls): Promise<void> {
  const rows = pairs.map(({ from, to }) => [from.number, credentials(from.number, from.secret), to]);
  const scenario = (folder: string) => soundIn(folder, hz, (fields) => callScenario({ talkMs, ...fields }));
  await toEnd(place, scenario, rows, load);
}

// sipp does not expand fields inside this keyword, so all of it is one field.
const credentials = (number: string, secret: string) =>
  `[authentication username=${number} password=${secret}]`;

async function soundIn(
  folder: string,
  hz: number | undefined,
  make: (fields: { sound?: string }) => string,
): Promise<string> {
  if (!hz) return make({});
  const sound = join(folder, 'tone.ul');
  await writeFile(sound, toneUlaw(hz, 10));
  return make({ sound });
}

type Scenario = string | ((folder: string) => Promise<string>);

async function toEnd(
  place: Place,
  scenario: Scenario,
  rows: readonly string[][],
  { calls, rate, limit = calls }: { calls: number; rate: number; limit?: number },
): Promise<void> {
  // Registered phones are probed at once and must answer.
  const limits = [
    '-oocsn',
    'ooc_default',
    '-m',
    String(calls),
    '-r',
    String(rate),
    '-l',
    String(limit),
    '-timeout_error',
  ];
  const running = await launch(place, scenario, rows, [...limits, '-timeout', '90s', place.server]);
  const code = await running.ended;
  if (code !== 0) throw new Error(`sipp ended with ${code}:\n${running.lines.slice(-40).join('\n')}`);
}

async function launch(
  { address, space }: Place,
  scenario: Scenario,
  rows: readonly string[][],
  more: readonly string[],
): Promise<RunningProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'pbxcore-sipp-'));
  const xml = typeof scenario === 'string' ? scenario : await scenario(folder);
  await writeFile(join(folder, 'scenario.xml'), xml);
  await writeFile(join(folder, 'rows.csv'), ['SEQUENTIAL', ...rows.map((row) => row.join(';'))].join('\n'));
  const args = [
    ...['-sf', join(folder, 'scenario.xml')],
    ...(rows.length > 0 ? ['-inf', join(folder, 'rows.csv')] : []),
    ...['-i', address, '-mi', address, '-p', '5060', '-nostdin', '-nd'],
    ...['-trace_err', '-error_file', join(folder, 'errors.log'), ...more],
  ];
  const running = space ? space.start('sipp', args) : startProcess('sipp', args);
  void running.ended.then(() => rm(folder, { recursive: true, force: true }));
  return running;
}
