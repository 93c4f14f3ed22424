import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { STREAM, type Told, valuesOf, WHITELIST } from '../firewall-rig.ts';
import { makeApp, type StorePair, type Stores, storePairs, type TestApp } from '../make-app.ts';
import { createOutsider, type Outsider } from '../outsider.ts';

const ROUNDS = 60;
const [embedded, servers] = storePairs as readonly [StorePair, StorePair];

/** Redis for expiring keys, and one SQLite file that all nodes share. */
async function openShared(): Promise<Stores> {
  const stores = await servers.open();
  const { PBXCORE_DATABASE_URL: _, ...settings } = stores.settings;
  return { ...stores, settings };
}

const clusters = [
  { name: `one node on ${embedded.name}`, open: embedded.open, count: 1, available: true },
  { name: 'two nodes on SQLite and Redis', open: openShared, count: 2, available: servers.available },
  { name: `two nodes on ${servers.name}`, open: servers.open, count: 2, available: servers.available },
  { name: `three nodes on ${servers.name}`, open: servers.open, count: 3, available: servers.available },
].filter(({ available }) => available);

describe.each(clusters)('contract 17.17: $name, polled in turn without a pause', ({ open, count }) => {
  let stores: Stores;
  let nodes: TestApp[] = [];
  let outsider: Outsider;
  let key: string;

  beforeAll(async () => {
    stores = await open();
    outsider = createOutsider(stores);
    nodes = [];
    for (let i = 0; i < count; i++) nodes.push(await makeApp(stores));
    key = (await node(0).createKey()).key;
  });
  afterAll(async () => {
    for (const one of nodes) await one.close();
    await stores?.stop();
  });

  const node = (turn: number) => nodes[turn % count] as TestApp;

  /** The writers, which take turns: every node, then the other tool. */
  const writers = (): { name: string; sql?: Outsider; app?: TestApp }[] => [
    ...nodes.map((app, i) => ({ name: `node ${i + 1}`, app })),
    { name: 'the other tool', sql: outsider },
  ];

  async function store({ sql, app }: { sql?: Outsider; app?: TestApp }, deny: string): Promise<string> {
    if (sql)
      return String(
        (await sql.sql(`insert into "m_NetworkFilters" (deny) values ('${deny}') returning id`))[0]?.id,
      );
    const body = { network: '10.99.0.0', subnet: 16, deny };
    const answer = await app?.call('POST', '/firewall', { token: await app.admin(), body });
    expect(answer?.status, answer?.text).toBe(201);
    return answer?.body.data.id;
  }

  async function remove({ sql, app }: { sql?: Outsider; app?: TestApp }, id: string): Promise<void> {
    if (sql) return void (await sql.sql(`delete from "m_NetworkFilters" where id = ${id}`));
    const answer = await app?.call('DELETE', `/firewall/${id}`, { token: await app.admin() });
    expect(answer?.status, answer?.text).toBe(200);
  }

  async function get(path: string, turn: number) {
    const answer = await node(turn).call('GET', path, { key });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  }

  test('a poll lists every deny stored before it, and as deleted only what is gone', async () => {
    const stored = new Map<string, string>();
    const counts = { polls: 0, missing: 0, leftOver: 0, falseRemovals: 0, lostRemovals: 0 };
    let told: string[] = [];
    let turn = 0;

    async function poll(): Promise<void> {
      const answer: { new: Told[]; deleted: Told[] } = await get(STREAM, turn++);
      const [listed, deleted] = [new Set(valuesOf(answer.new)), new Set(valuesOf(answer.deleted))];
      counts.polls++;
      for (const deny of stored.keys()) if (!listed.has(deny)) counts.missing++;
      for (const deny of listed) if (!stored.has(deny)) counts.leftOver++;
      for (const deny of deleted) if (stored.has(deny)) counts.falseRemovals++;
      for (const deny of told) if (!stored.has(deny) && !deleted.has(deny)) counts.lostRemovals++;
      told = [...listed];
    }

    for (let round = 0; round < ROUNDS; round++) {
      const hands = writers();
      const hand = hands[round % hands.length] as (typeof hands)[number];
      const [oldest] = stored;
      if (oldest && round % 3 === 2) {
        await remove(hand, oldest[1]);
        stored.delete(oldest[0]);
      } else {
        const deny = `203.0.113.${round}`;
        stored.set(deny, await store(hand, deny));
      }
      // Once more than there are nodes, so that the next write is first seen by another node.
      for (let i = 0; i <= count; i++) await poll();
    }
    console.log(`${count} nodes: ${JSON.stringify(counts)}`);
    expect(counts).toMatchObject({ missing: 0, leftOver: 0, falseRemovals: 0, lostRemovals: 0 });
  });

  test('the same holds for every poll that is under way while others write', async () => {
    /** When a deny was committed, and when its removal began and was committed. */
    const life = new Map<string, { stored: number; removing: number; removed: number }>();
    const counts = { polls: 0, missing: 0, leftOver: 0, falseRemovals: 0 };
    let isWriting = true;

    async function write(): Promise<void> {
      for (let i = 0; i < 30; i++) {
        const times = { stored: Infinity, removing: Infinity, removed: Infinity };
        const id = await store({ sql: outsider }, `198.18.0.${i}`);
        times.stored = performance.now();
        life.set(`198.18.0.${i}`, times);
        // Back-to-back writes to a file would not let polls run.
        for (const seen = counts.polls; counts.polls === seen && isWriting; ) await setImmediate();
        if (i % 2 > 0) continue;
        times.removing = performance.now();
        await remove({ sql: outsider }, id);
        times.removed = performance.now();
      }
      isWriting = false;
    }

    async function pollAlong(own: string, turn: number): Promise<void> {
      while (isWriting) {
        const began = performance.now();
        const answer = await node(turn).call('GET', STREAM, { key: own });
        const ended = performance.now();
        expect(answer.status, answer.text).toBe(200);
        const [listed, deleted] = [new Set(valuesOf(answer.body.new)), valuesOf(answer.body.deleted)];
        counts.polls++;
        for (const [deny, { stored, removing, removed }] of life) {
          const isThere = stored < began && removing > ended;
          if (isThere && !listed.has(deny)) counts.missing++;
          if (isThere && deleted.includes(deny)) counts.falseRemovals++;
          if (removed < began && listed.has(deny)) counts.leftOver++;
        }
      }
    }
    const keys = await Promise.all(Array.from({ length: 2 * count }, () => node(0).createKey()));
    const polling = keys.map((own, turn) => pollAlong(own.key, turn));
    await Promise.all([write(), ...polling]).finally(() => {
      isWriting = false;
    });
    console.log(`${count} nodes, polls among writes: ${JSON.stringify(counts)}`);
    expect(counts).toMatchObject({ missing: 0, leftOver: 0, falseRemovals: 0 });
  });

  test('the whitelist, live lookups and explanations show what was committed before', async () => {
    for (let round = 0; round < 6; round++) {
      const entry = `198.51.100.${round}`;
      await outsider.sql(`update "m_Fail2BanRules" set whitelist = '${entry}' where id = 1`);
      for (let i = 0; i < count; i++) expect(await get(WHITELIST, i), `node ${i + 1}`).toEqual([entry]);
      const deny = `192.0.2.${round}`;
      const id = await store(writers()[count] as object, deny);
      for (let i = 0; i < count; i++) {
        expect(await get(`/firewall-bouncer/v1/decisions?ip=${deny}`, i)).toMatchObject([{ value: deny }]);
        const app = node(i);
        const said = await app.call('GET', `/firewall:explain?ip=${deny}`, { token: await app.admin() });
        expect(said.body.data).toMatchObject({ verdict: 'blocked', filters: [{ networkFilterId: id }] });
      }
    }
  });
});
