import { appendFile, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import { EngineAway } from '../../../lib/errors.ts';
import type { DesiredState } from '../../desired-state.ts';
import type { EndedLeg } from '../../events.ts';
import { createRefusedCallers } from './refused-callers.ts';

const AT = Date.UTC(2026, 10, 17, 20, 0, 0);
const STATE = { extensions: [{ number: '201', name: 'Anna' }], providers: [{ id: 'SIP-1' }] };
const OFFERS = 'res_pjsip_session/pjsip_session_caps.c';
const SESSION = 'res_pjsip_session.c';
let dir: string;
let now: number;
let commands: string[];
let errors: string[];
let legs: EndedLeg[];
let recorded: () => void;
let open: ReturnType<typeof createRefusedCallers>[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pbxcore-refused-'));
  await writeFile(join(dir, 'refusals.log'), '[2026-11-17 20:00:00.000 +0000] Asterisk 22\n');
  [now, commands, errors, legs, open] = [AT, [], [], [], []];
  recorded = () => {};
});
afterEach(async () => {
  for (const callers of open) await callers.close();
  await rm(dir, { recursive: true });
});

function begin() {
  const callers = createRefusedCallers({
    ami: { command: async (line) => String(commands.push(line)) },
    site: { logDir: dir, systemName: 'pbx' },
    clock: { now: () => now },
    record: (leg) => legs.push(leg),
    recorded: async () => recorded(),
    onError: (error) => errors.push((error as Error).message),
    saveMs: 20,
  });
  open.push(callers);
  callers.follow(STATE as unknown as DesiredState);
  return callers;
}

interface Said {
  readonly at?: number;
  readonly thread?: number;
}

function say(message: string, filename: string, fn: string, { at = now, thread = 1 }: Said = {}) {
  const timestamp = `${new Date(at).toISOString().slice(0, 23).replace('T', ' ')} +0000`;
  const level = message.includes("Couldn't") || filename.endsWith('rtp.c') ? 'ERROR' : 'DEBUG';
  const logmsg = { location: { filename, function: fn }, level, message };
  return appendFile(
    join(dir, 'refusals.log'),
    `${JSON.stringify({ timestamp, identifiers: { lwp: thread }, logmsg })}\n`,
  );
}
const offer = (joint: string, who = '201', when: Said = {}) => {
  const streams = `remote: (g729) local: (ulaw) joint: (${joint})`;
  return say(`'${who}' Caps for incoming audio call with pref 'x' - ${streams}\n`, OFFERS, 'x', when);
};
const called = (number: string, who = '201', when: Said = {}) =>
  say(` ${who}: Call (UDP:x) to extension '${number}' sending 100 Trying\n`, SESSION, 'new_invite', when);
const refused = (who = '201', when: Said = {}) =>
  say(` ${who}: Couldn't negotiate stream x\n`, SESSION, 'handle_incoming_sdp', when);
const noPort = () => say('Unable to create RTP instance\n', 'res_pjsip_sdp_rtp.c', 'create_rtp');
/** The clock goes on meanwhile: an offer is decided when the engine has had time to examine all of it. */
const decided = (check: () => void) =>
  eventually(() => {
    now += 500;
    check();
  });
/** The place is saved when no caller is undecided. */
const allRead = () =>
  eventually(async () => {
    const { place } = JSON.parse(await readFile(join(dir, 'refusals.log.position'), 'utf8'));
    expect(place.offset).toBe((await stat(join(dir, 'refusals.log'))).size);
  });
const lastOfProvider = () => legs.findLast(({ fromProvider }) => fromProvider !== '');
const told = () => legs.map(({ source, destination, cause }) => [source.number, destination.number, cause]);

test('refused calls of employees, with their names, and of providers are recorded, and of nobody else', async () => {
  begin();
  await called('202', '201');
  await offer('nothing', '201');
  await offer('nothing', '299');
  await called('4930', 'SIP-1');
  await refused('SIP-1');
  await decided(() => expect(legs).toHaveLength(2));
  const [anna, provider] = legs.toSorted((a, b) => a.fromProvider.localeCompare(b.fromProvider));
  expect(anna).toMatchObject({
    startedAt: AT,
    source: { number: '201', name: 'Anna' },
    destination: { number: '202' },
    disposition: 'FAILED',
    cause: 'no-common-codec',
  });
  expect(provider).toMatchObject({ fromProvider: 'SIP-1', did: '4930', cause: 'encryption-mismatch' });
});

test('a caller who offers several streams is refused if none of them is usable', async () => {
  begin();
  await offer('nothing');
  await offer('ulaw');
  await offer('nothing', '201', { thread: 2 });
  await offer('nothing', '201', { thread: 2 });
  await decided(() => expect(told()).toEqual([['201', '', 'no-common-codec']]));
});

test('a phone whose call begins after all, with video only for example, was not refused', async () => {
  const callers = begin();
  await offer('nothing', '201');
  await offer('nothing', 'SIP-1', { thread: 2 });
  await refused('SIP-1', { thread: 3 });
  await eventually(() => expect(legs).toHaveLength(1));
  const { source, ...leg } = legs[0] as EndedLeg;
  for (const account of ['201', 'SIP-1'])
    callers.callBegan({ ...leg, source: { ...source, channel: `PJSIP/${account}-0000002a` } });
  // Of a provider, it is unknown which of its calls that was.
  await decided(() => expect(legs).toHaveLength(2));
  expect(told().at(-1)).toEqual(['', '', 'no-common-codec']);
  await callers.close();
  expect(legs).toHaveLength(2);
});

test('a clock that is set back leaves no caller undecided', async () => {
  begin();
  await offer('nothing');
  await refused('SIP-1', { thread: 2 });
  await eventually(() => expect(legs).toHaveLength(1));
  now -= 3_600_000;
  await eventually(() => expect(legs).toHaveLength(2));
});

test('a called number counts only for its own call', async () => {
  begin();
  await called('202');
  now += 1000;
  await offer('nothing');
  await decided(() => expect(told()).toEqual([['201', '', 'no-common-codec']]));
});

test('a refusal because the engine has no port for the audio is recorded without a cause', async () => {
  begin();
  await noPort();
  await refused();
  await eventually(() => expect(told()).toEqual([['201', '', undefined]]));
});

test('a second attempt within a second shares the record of the first, whatever was refused between them', async () => {
  begin();
  await called('202');
  await offer('nothing');
  await called('203', '201', { at: AT + 100 });
  await refused('201', { at: AT + 100 });
  await called('204', '201', { at: AT + 200 });
  await offer('nothing', '201', { at: AT + 200 });
  await decided(() => expect(legs.length).toBeGreaterThan(1));
  await allRead();
  expect(told().toSorted()).toEqual([
    ['201', '202', 'no-common-codec'],
    ['201', '203', 'encryption-mismatch'],
  ]);
});

test('an account has one record per second and three hundred per hour, and the limit is reported', async () => {
  const callers = begin();
  for (let i = 0; i < 5; i++) await refused('201', { at: AT + i * 100 });
  for (let i = 1; i < 400; i++) await refused('201', { at: AT + i * 1000 });
  await refused('SIP-1');
  await eventually(() => expect(legs.at(-1)?.fromProvider).toBe('SIP-1'));
  expect(legs).toHaveLength(301);
  expect(errors).toEqual([expect.stringContaining('201 was refused 300 times')]);
  now += 300_000;
  await refused('201', { at: AT + 400_000 });
  await allRead();
  await callers.begin();
  expect(commands, 'nothing more is asked for').toContain(`core set debug 0 ${SESSION}`);
  await refused('201', { at: AT + 3_600_000 });
  await eventually(() => expect(legs).toHaveLength(302));
});

test('the next service continues where this one stopped; a refusal that is read twice has the same id', async () => {
  const first = begin();
  await refused();
  await eventually(() => expect(legs).toHaveLength(1));
  await first.close();
  open = [];
  const second = begin();
  await refused('SIP-1');
  await eventually(() => expect(legs).toHaveLength(2));
  expect(legs[1]?.fromProvider).toBe('SIP-1');
  await second.close();
  open = [];
  await rm(join(dir, 'refusals.log.position'));
  begin();
  await eventually(() => expect(legs).toHaveLength(4));
  expect(new Set(legs.map(({ id }) => id)).size).toBe(2);
});

test('logs that were put aside are removed, even if some caller is undecided at any time', async () => {
  let thread = 1;
  await offer('nothing', '201', { thread });
  const aside = 'refusals.log.1763409600000';
  await rename(join(dir, 'refusals.log'), join(dir, aside));
  begin();
  await eventually(async () => {
    await offer('nothing', '201', { thread: ++thread });
    await refused('SIP-1', { at: AT + thread * 1000, thread: 0 });
    // Everything before it has been read as well.
    await eventually(() => expect(lastOfProvider()?.startedAt).toBe(AT + thread * 1000));
    // Less than the time until the last one is decided
    now += 300;
    expect(await readdir(dir)).not.toContain(aside);
  });
});

test('a refusal that could not be saved is read again by the next service', async () => {
  recorded = () => {
    throw new EngineAway('not yet');
  };
  const first = begin();
  await refused();
  await eventually(() => expect(legs).toHaveLength(1));
  await first.close();
  open = [];
  begin();
  await eventually(() => expect(legs).toHaveLength(2));
  expect(legs[1]?.id).toBe(legs[0]?.id);
  expect(errors).toEqual([]);
});

test('an engine whose log was just put aside counts as keeping it; one without a log is left alone', async () => {
  const log = join(dir, 'refusals.log');
  await rename(log, `${log}.1763409600000`);
  await begin().begin();
  expect(commands).toContain(`core set debug 3 ${OFFERS}`);
  await rm(`${log}.1763409600000`, { force: true });
  await writeFile(`${log}.position`, '');
  commands = [];
  await begin().begin();
  expect(commands).not.toContain(`core set debug 3 ${OFFERS}`);
});

test('without a time zone in the log nobody is recorded, and that is reported once', async () => {
  const log = join(dir, 'refusals.log');
  await refused();
  await refused();
  await writeFile(log, (await readFile(log, 'utf8')).replaceAll(' +0000', ''));
  await refused('SIP-1');
  begin();
  await eventually(() => expect(legs).toHaveLength(1));
  expect(legs[0]?.fromProvider).toBe('SIP-1');
  expect(errors).toEqual([expect.stringContaining('needs dateformat=%F %T.%3q %z')]);
});

test('the engine logs more for a while after a refusal, and less when it is busy', async () => {
  const level = (source: string) =>
    commands
      .findLast((line) => line.startsWith('core set debug') && line.endsWith(` ${source}`))
      ?.split(' ')[3];
  const levels = () => [OFFERS, SESSION].map(level);
  const callers = begin();
  await callers.begin();
  expect(levels()).toEqual(['3', '0']);
  await refused();
  await eventually(() => expect(levels()).toEqual(['3', '3']));
  const ofUs = legs[0] as EndedLeg;
  const leg = { ...ofUs, source: { ...ofUs.source, channel: 'PJSIP/201-0000002a' } };
  for (let i = 0; i < 9; i++) callers.callBegan(leg);
  for (let i = 0; i < 9; i++) callers.callBegan(ofUs);
  now += 1000;
  for (let i = 0; i < 10; i++) callers.callBegan(leg);
  await callers.begin();
  expect(levels()).toEqual(['3', '3']);
  callers.callBegan(leg);
  await eventually(() => expect(levels()).toEqual(['0', '0']));
  now += 300_000;
  await callers.begin();
  expect(levels()).toEqual(['3', '0']);
});

test('refusals from before the service began do not make the engine busy, refusals from now on do', async () => {
  const elsewhere = { at: AT - 3_600_000 };
  for (let i = 0; i < 20; i++) await refused('201', elsewhere);
  await refused('SIP-1', elsewhere);
  const callers = begin();
  await callers.begin();
  await eventually(() => expect(legs).toHaveLength(2));
  await callers.begin();
  expect(commands).not.toContain(`core set debug 0 ${OFFERS}`);
  // The engine's clock is an hour behind.
  for (let i = 0; i < 20; i++) await refused('201', elsewhere);
  await eventually(() => expect(commands).toContain(`core set debug 0 ${OFFERS}`));
});
