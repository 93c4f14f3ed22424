import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { makeApp, type StorePair, type Stores, type TestApp } from '../make-app.ts';

/** A new service for each test of a third-party client, and an operator who bans and unbans. */
export interface ClientRig {
  readonly app: TestApp;
  /** The URL to configure in such clients. */
  readonly url: string;
  ban(ip: string, seconds?: number, category?: string): Promise<void>;
  lift(ip: string, category?: string): Promise<void>;
  /** Bans through a filter, without expiry. */
  deny(ip: string): Promise<void>;
}

export function useClientRig(pair: StorePair): ClientRig {
  let stores: Stores | undefined;
  let app: TestApp;
  beforeAll(async () => {
    stores = await pair.open();
  });
  beforeEach(async () => {
    await stores?.reset();
    app = await makeApp(stores as Stores);
    return () => app.close();
  });
  afterAll(async () => {
    await stores?.stop();
  });

  async function post(path: string, body: object, status = 200): Promise<void> {
    const answer = await app.call('POST', path, { token: await app.admin(), body });
    expect(answer.status, answer.text).toBe(status);
  }
  return {
    get app() {
      return app;
    },
    get url() {
      return `${app.origin}/pbxcore/api/v3/firewall-bouncer`;
    },
    ban: (ip, seconds = 600, category = 'sip') => post('/firewall:banIp', { ip, seconds, category }),
    deny: (ip) => post('/firewall', { network: '10.0.0.0', subnet: 8, deny: ip }, 201),
    lift: (ip, category) => post('/firewall:unbanIp', { ip, ...(category && { category }) }),
  };
}
