import { appendFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import * as captured from '../../../../test/telephony/captured-journal.ts';
import type { EndedLeg, EngineEvent } from '../../events.ts';
import { createCalls } from './calls.ts';

let dir: string;
let now: number;
let open: ReturnType<typeof createCalls>[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pbxcore-calls-'));
  [now, open] = [2_000_000, []];
});
afterEach(async () => {
  for (const calls of open) await calls.close();
  await rm(dir, { recursive: true });
});

function begin({ channels = () => [] as string[], saveMs = 60_000, lookMs = 60_000 } = {}) {
  const events: EngineEvent[] = [];
  const errors: unknown[] = [];
  const calls = createCalls({
    ami: { action: async () => ({}), list: async () => channels().map((Uniqueid) => ({ Uniqueid })) },
    tell: (event) => events.push(event),
    clock: { now: () => now },
    site: { journalFile: join(dir, 'journal.csv'), recordingsDir: join(dir, 'recordings'), timezone: 'UTC' },
    onError: (error) => errors.push(error),
    saveMs,
    lookMs,
  });
  open.push(calls);
  const told = (type: EngineEvent['type']) =>
    events.flatMap((event) => {
      if (event.type !== type) return [];
      return 'leg' in event ? event.leg.id : 'legId' in event ? event.legId : type;
    });
  return { calls, events, errors, told };
}
const journal = (text: string) => appendFile(join(dir, 'journal.csv'), text.trimStart());
const lines = (text: string) => text.trim().split('\n');
const LEG = 'n-1026.105-1';
const CHANNELS = ['n-1026.105', 'n-1026.107'];
const PARTY = { channel: '', number: '201', name: '' };
const REFUSED = { id: 'n-1.refused-201', source: PARTY, destination: PARTY } as EndedLeg;

test('nothing is reported before reconcile, which reports everything that was written meanwhile', async () => {
  await journal(captured.forwardedWhenAbsent);
  const { calls, events, told } = begin();
  expect(events).toEqual([]);
  await calls.reconcile();
  expect(told('leg-ended')).toEqual(['n-1032.127-1', 'n-1032.127-2']);
  await journal(captured.forwardLoop);
  await eventually(() => expect(told('leg-ended')).toHaveLength(4));
});

test('the active legs include everything in the journal up to this moment', async () => {
  const { calls } = begin({ channels: () => CHANNELS });
  await calls.reconcile();
  await journal(`${lines(captured.answeredWithDigits).slice(0, 7).join('\n')}\n`);
  expect(await calls.activeCalls()).toMatchObject([{ id: LEG, answeredAt: 1_026_400 }]);
});

test('a leg is reported again after a crash until it is stored, and never afterwards', async () => {
  await journal(captured.forwardLoop);
  const first = begin();
  await first.calls.reconcile();
  // A crash: nothing is closed, the next service begins with what is on disk.
  const second = begin();
  await second.calls.reconcile();
  expect(second.told('leg-ended')).toEqual(first.told('leg-ended'));
  expect(second.events.map(({ type }) => type)).not.toContain('leg-started');
  second.calls.legsStored(second.told('leg-ended'));
  await second.calls.close();
  const third = begin();
  await third.calls.reconcile();
  expect(third.events).toEqual([]);
});

test('a call continues across a restart of the service', async () => {
  const all = lines(captured.answeredWithDigits);
  const first = begin({ channels: () => CHANNELS });
  await first.calls.reconcile();
  await journal(`${all.slice(0, 10).join('\n')}\n`);
  await first.calls.activeCalls();
  await first.calls.close();
  await journal(`${all.slice(10).join('\n')}\n`);
  const second = begin();
  await second.calls.reconcile();
  expect(second.events).toMatchObject([
    { type: 'leg-ended', leg: { id: LEG, dtmfDigits: '12#7' } },
    { type: 'call-ended' },
  ]);
});

test('calls that are lost with the engine end at the time when the connection was lost', async () => {
  const { calls, events, told } = begin();
  await calls.reconcile();
  await journal(captured.engineDied);
  await eventually(() => expect(told('leg-started')).toHaveLength(1));
  calls.engineLost();
  now += 5000;
  await calls.reconcile();
  expect(events.at(-2)).toMatchObject({ type: 'leg-ended', leg: { endedAt: 2_000_000 } });
  expect(events.at(-1)?.type).toBe('call-ended');
  expect(await calls.activeCalls()).toEqual([]);
});

test('if engine and service both died, calls end when the engine was last seen', async () => {
  const first = begin({ channels: () => ['n-1131.283', 'n-1131.285'], saveMs: 5 });
  await first.calls.reconcile();
  await journal(captured.engineDied);
  await first.calls.activeCalls();
  now = 2_100_000;
  const isSaved = async () =>
    expect(JSON.parse(await readFile(join(dir, 'journal.csv.position'), 'utf8'))).toMatchObject({
      aliveAt: 2_100_000,
    });
  await eventually(isSaved);
  // A copy: the first service goes on saving, which a crashed one would not.
  const saved = await readFile(join(dir, 'journal.csv.position'));
  await first.calls.close();
  await writeFile(join(dir, 'journal.csv.position'), saved);
  now = 9_000_000;
  const second = begin();
  await second.calls.reconcile();
  expect(second.events).toMatchObject([
    { type: 'leg-ended', leg: { endedAt: 2_100_000, disposition: 'ANSWERED' } },
    { type: 'call-ended' },
  ]);
});

test('calls that the engine still has continue', async () => {
  const { calls } = begin({ channels: () => CHANNELS });
  await calls.reconcile();
  await journal(`${lines(captured.answeredWithDigits).slice(0, 7).join('\n')}\n`);
  calls.engineLost();
  await calls.reconcile();
  expect(await calls.activeCalls()).toHaveLength(1);
});

test('a call whose end the engine could not write does not stay active for ever', async () => {
  let channels = CHANNELS;
  const { calls, told } = begin({ channels: () => channels, lookMs: 5 });
  await calls.reconcile();
  await journal(`${lines(captured.answeredWithDigits).slice(0, 7).join('\n')}\n`);
  await eventually(() => expect(told('leg-started')).toEqual([LEG]));
  channels = [];
  await eventually(() => expect(told('leg-ended')).toEqual([LEG]));
  expect(await calls.activeCalls()).toEqual([]);
});

test('a caller whose number contains line breaks is not taken for gone', async () => {
  const { calls } = begin({ channels: () => CHANNELS.map((id) => `forged\n${id}`) });
  await calls.reconcile();
  await journal(`${lines(captured.answeredWithDigits).slice(0, 7).join('\n')}\n`);
  calls.engineLost();
  await calls.reconcile();
  expect(await calls.activeCalls()).toHaveLength(1);
});

test('a recording is reported after its leg', async () => {
  const file = join(dir, 'recordings/2026/11/15/23', `${LEG}.wav`);
  await mkdir(dirname(file), { recursive: true });
  const sound = Buffer.alloc(364);
  sound.writeUInt32LE(320, 40);
  await writeFile(file, sound);
  const { calls, told, events } = begin();
  await calls.reconcile();
  await journal(captured.answeredWithDigits);
  await eventually(() => expect(told('recording-finished')).toEqual([LEG]));
  expect(events.at(-1)?.type).toBe('recording-finished');
});

test('an unreadable position file costs work but loses no call', async () => {
  await journal(captured.forwardLoop);
  await writeFile(join(dir, 'journal.csv.position'), '{"version":1,');
  const { calls, told } = begin();
  await calls.reconcile();
  expect(told('leg-ended')).toHaveLength(2);
});

test('a report counts as saved only when it is on disk', async () => {
  const { calls, errors } = begin();
  await expect(calls.saved()).rejects.toThrow('is not open');
  await calls.reconcile();
  // A folder in the place of the position file
  const inTheWay = join(dir, 'journal.csv.position.new');
  await mkdir(inTheWay);
  calls.refused(REFUSED);
  await expect(calls.saved()).rejects.toThrow();
  await expect(calls.saved(), 'nor the next time').rejects.toThrow();
  await rm(inTheWay, { recursive: true });
  await calls.saved();
  expect(await readFile(join(dir, 'journal.csv.position'), 'utf8')).toContain(REFUSED.id);
  expect(errors).toEqual([]);
});

test('an unreadable line is reported as an error and skipped', async () => {
  await journal('half a line\n');
  await journal(captured.forwardLoop);
  const { calls, told, errors } = begin();
  await calls.reconcile();
  expect(told('leg-ended')).toHaveLength(2);
  expect(errors).toHaveLength(1);
});

test('a switch made by phone is reported again after a crash until it is stored', async () => {
  const extra = (text: string) => `"{""extra"":""${text}""}"`;
  const line = (type: string, text: string) =>
    `${type},1026.5,n-1026.105,n-1026.105,"PJSIP/201-00000001",${extra(text)}\n`;
  await journal(
    line('pbx-night', 'n-1026.105-1|closed|1777600000000') + line('pbx-night', 'n-1026.105-1|ajar|1'),
  );
  const first = begin();
  await first.calls.reconcile();
  expect(first.events).toEqual([
    {
      type: 'night-switched',
      legId: 'n-1026.105-1-night',
      at: 1_026_500,
      mode: 'closed',
      revision: 1_777_600_000_000,
    },
  ]);
  const second = begin();
  await second.calls.reconcile();
  expect(second.told('night-switched')).toEqual(['n-1026.105-1-night']);
  second.calls.legsStored(['n-1026.105-1-night']);
  await second.calls.close();
  const third = begin();
  await third.calls.reconcile();
  expect(third.events).toEqual([]);
});
