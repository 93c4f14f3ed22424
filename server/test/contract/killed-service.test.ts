import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN_PASSWORD, openEmbedded, type Stores } from '../make-app.ts';
import { type ServiceProcess, startService } from '../real/pbxcore-process.ts';

const ROUNDS = 10;
const WRITERS = 20;
const STREAM = '/firewall-bouncer/v1/decisions/stream';

let stores: Stores;
let service: ServiceProcess | undefined;

beforeAll(async () => {
  stores = await openEmbedded();
});
afterAll(async () => {
  await service?.end('SIGKILL');
  await stores.stop();
});

async function start(): Promise<ServiceProcess> {
  service = await startService({
    ...stores.settings,
    PBXCORE_ADMIN_PASSWORD: ADMIN_PASSWORD,
    PBXCORE_LOG_LEVEL: 'silent',
    PBXCORE_RATE_LIMIT_ANONYMOUS: '0',
  });
  return service;
}

async function call(method: string, path: string, credential: string, body?: object) {
  const response = await fetch(`${service?.origin}/pbxcore/api/v3${path}`, {
    method,
    headers: { authorization: `Bearer ${credential}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** The history of one address; `true` once the service has answered 200. */
interface Story {
  banned: boolean;
  liftSent: boolean;
  lifted: boolean;
}

test('kill -9 loses no ban, no lift and no decision sent in a poll', { timeout: 300_000 }, async () => {
  await start();
  const login = await call('POST', '/auth:login', '', { login: 'admin', password: ADMIN_PASSWORD });
  const makeKey = async (fields: object): Promise<string> =>
    (await call('POST', '/api-keys', login.body.data.accessToken, { description: 'test', ...fields })).body
      .data.key;
  const operator = await makeKey({ full_permissions: true });
  const bouncer = await makeKey({ allowed_paths: { '/api/v3/firewall-bouncer': 'read' } });

  const stories = new Map<string, Story>();
  /** Addresses that a bouncer polling with the key blocks. */
  const blocked = new Set<string>();
  const counts = { bans: 0, lifts: 0, polls: 0, lostBans: 0, lostLifts: 0, forgotten: 0, stuck: 0 };

  async function poll(): Promise<void> {
    const { status, body } = await call('GET', STREAM, bouncer);
    expect(status).toBe(200);
    counts.polls++;
    for (const { value } of body.deleted) blocked.delete(value);
    for (const { value } of body.new) blocked.add(value);
  }

  async function ban(ip: string): Promise<void> {
    const story = { banned: false, liftSent: false, lifted: false };
    stories.set(ip, story);
    const answer = await call('POST', '/firewall:banIp', operator, { ip, category: 'sip', seconds: 86_400 });
    expect(answer.status).toBe(200);
    story.banned = true;
    counts.bans++;
  }

  async function lift(ip: string): Promise<void> {
    const story = stories.get(ip) as Story;
    story.liftSent = true;
    const answer = await call('POST', '/firewall:unbanIp', operator, { ip });
    expect(answer).toMatchObject({ status: 200, body: { data: { lifted: ['sip'] } } });
    story.lifted = true;
    counts.lifts++;
  }

  for (let round = 0; round < ROUNDS; round++) {
    const killed = { yet: false };
    const endsAfter = counts.bans + 20 + Math.floor(Math.random() * 150);
    const untilKilled = async (work: (i: number) => Promise<void>) => {
      for (let i = 0; !killed.yet; i++) {
        try {
          await work(i);
        } catch (error) {
          if (!killed.yet) throw error;
        }
      }
    };
    const writers = Array.from({ length: WRITERS }, (_, writer) =>
      untilKilled(async (i) => {
        const ip = `198.${18 + round}.${writer}.${i % 256}`;
        await ban(ip);
        if (i % 2 === 1) await lift(`198.${18 + round}.${writer}.${(i - 1) % 256}`);
        if (counts.bans >= endsAfter && !killed.yet) {
          killed.yet = true;
          await service?.end('SIGKILL');
        }
      }),
    );
    await Promise.all([...writers, untilKilled(poll)]);

    await start();
    const listed = new Set(Object.keys((await call('GET', '/firewall:getBannedIps', operator)).body.data));
    await poll();
    for (const [ip, { banned, liftSent, lifted }] of stories) {
      if (banned && !liftSent && !listed.has(ip)) counts.lostBans++;
      if (lifted && listed.has(ip)) counts.lostLifts++;
      if (!liftSent && blocked.has(ip) && !listed.has(ip)) counts.forgotten++;
    }
    for (const ip of blocked) if (!listed.has(ip)) counts.stuck++;
  }
  console.info(`kill -9, ${ROUNDS} rounds: ${JSON.stringify(counts)}`);
  expect(counts).toMatchObject({ lostBans: 0, lostLifts: 0, forgotten: 0, stuck: 0 });
});
