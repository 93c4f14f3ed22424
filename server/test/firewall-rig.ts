import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type Answer, makeApp, type StorePair, type Stores, type TestApp } from './make-app.ts';
import { createOutsider, type Outsider, quoted } from './outsider.ts';

export const STREAM = '/firewall-bouncer/v1/decisions/stream';
export const WHITELIST = '/firewall-bouncer/v1/whitelist';
export const DECISIONS = '/firewall-bouncer/v1/decisions';

export interface Told {
  readonly id: number;
  readonly origin: string;
  readonly type: string;
  readonly scope: string;
  readonly value: string;
  readonly duration: string;
  readonly scenario: string;
}

/** `value category duration`; the category stands in for the whole scenario. */
export const brief = (decisions: readonly Told[]): string[] =>
  decisions.map(({ value, scenario, duration }) => `${value} ${scenario.slice(4)} ${duration}`);

export const valuesOf = (decisions: readonly Told[]): string[] => decisions.map(({ value }) => value);

/** The service, an administrator, one bouncer, and another tool on the same stores, which each test starts empty. */
export interface FirewallRig {
  readonly app: TestApp;
  readonly stores: Stores;
  /** The bouncer's key. */
  readonly key: string;
  readonly keyId: string;
  readonly outsider: Outsider;
  /** As administrator. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** As `call`, but requires success; resolves to `data`. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  done(method: string, path: string, body?: unknown): Promise<any>;
  ban(ip: string, seconds: number, category?: string): Promise<void>;
  lift(ip: string): Promise<void>;
  /** Stores a deny list through the API; resolves to the id of its filter. */
  deny(deny: string, fields?: object): Promise<string>;
  /** Inserts a filter row as another tool would. */
  insertFilter(fields: { permit?: string; deny?: string | null; newer_block_ip?: string }): Promise<string>;
  /** Polls with the bouncer's key, or with another one. */
  poll(query?: string, key?: string): Promise<{ new: Told[]; deleted: Told[] }>;
  whitelist(): Promise<string[]>;
  /** Restarts the service with other settings on the same stores. */
  restartWith(settings: Record<string, string>): Promise<void>;
}

export function useFirewall(pair: StorePair, settings: Record<string, string> = {}): FirewallRig {
  let stores: Stores;
  let app: TestApp;
  let key = { id: '', key: '' };
  let outsider: Outsider;
  let asWanted = true;

  beforeAll(async () => {
    if (!pair.available) return;
    stores = await pair.open();
    outsider = createOutsider(stores);
    app = await makeApp(stores, settings);
  });
  afterAll(async () => {
    await app?.close();
    await stores?.stop();
  });
  beforeEach(async () => {
    if (!pair.available) return;
    if (!asWanted) await restartWith({});
    await empty();
    key = await app.createKey();
  });

  /** Much faster than starting a new service for every test. */
  async function empty(): Promise<void> {
    await outsider.sql(
      'delete from "m_NetworkFilters"',
      'delete from firewall_rules',
      `delete from settings where key in ('firewallEnabled', 'PBXFirewallMaxReqSec')`,
      'delete from "m_Fail2BanRules"',
      'insert into "m_Fail2BanRules" (id) values (1)',
    );
    await app.advance(5000);
    if (stores.redis) await outsider.redis('FLUSHALL');
    else for (const ip of Object.keys(await done('GET', '/firewall:getBannedIps'))) await lift(ip);
    // Proves that the service has picked up all of it.
    expect(await done('GET', '/firewall')).toMatchObject({ total: 0, invalidEntries: [] });
  }

  async function restartWith(changed: Record<string, string>): Promise<void> {
    asWanted = Object.keys(changed).length === 0;
    await app.close();
    app = await makeApp(stores, { ...settings, ...changed });
  }

  const call = async (method: string, path: string, body?: unknown) =>
    app.call(method, path, { token: await app.admin(), ...(body !== undefined && { body }) });
  const done = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body.data;
  };
  const lift = (ip: string) => done('POST', '/firewall:unbanIp', { ip });
  const bouncerGet = async (path: string, by = key.key) => {
    const answer = await app.call('GET', path, { key: by });
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };

  return {
    get app() {
      return app;
    },
    get stores() {
      return stores;
    },
    get key() {
      return key.key;
    },
    get keyId() {
      return key.id;
    },
    get outsider() {
      return outsider;
    },
    call,
    done,
    ban: (ip, seconds, category = 'sip') => done('POST', '/firewall:banIp', { ip, seconds, category }),
    lift,
    async deny(deny, fields = {}) {
      return (await done('POST', '/firewall', { network: '10.99.0.0', subnet: 16, deny, ...fields })).id;
    },
    async insertFilter({ permit = '', deny = '', newer_block_ip = '0' }) {
      const values = [permit, deny, newer_block_ip].map(quoted);
      const [row] = await outsider.sql(
        `insert into "m_NetworkFilters" (permit, deny, newer_block_ip) values (${values.join(', ')}) returning id`,
      );
      return String(row?.id);
    },
    poll: (query = '', by = key.key) => bouncerGet(STREAM + query, by),
    whitelist: () => bouncerGet(WHITELIST),
    restartWith,
  };
}
