import { describe, expect, test } from 'vitest';
import { DECISIONS, useFirewall } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';
import { createSmallBouncer, HABITS } from '../small-bouncers.ts';

const DELETED_LAST = ['traefik', 'php', 'haproxy', 'cloudflare', 'mirror'] as const;
const DELETED_FIRST = ['lua', 'pycrowdsec', 'caddy'] as const;
const IP = '203.0.113.7';

describe.each(storePairs)('simulated clients, service on $name', (pair: StorePair) => {
  const firewall = useFirewall(pair);
  const { ban, lift, deny, done } = firewall;
  const rule = test.skipIf(!pair.available);
  const liftOne = (category: string) => done('POST', '/firewall:unbanIp', { ip: IP, category });

  /** Starts a client with its own key, created for this client name or for none. */
  async function start(name: keyof typeof HABITS, client = '') {
    const { key } = await firewall.app.createKey({ client });
    const get = (query: string) => firewall.poll(query, key);
    return createSmallBouncer({ habits: HABITS[name], get, now: () => firewall.app.now() });
  }

  /** Expects bans to appear, to stay while they last, and to end when lifted or expired. */
  async function expectToFollow(bouncer: Awaited<ReturnType<typeof start>>): Promise<void> {
    await bouncer.poll();
    await ban('203.0.113.8', 60);
    await ban('203.0.113.9', 6000);
    await deny('192.0.2.1');
    await bouncer.poll();
    expect(['203.0.113.8', '203.0.113.9', '192.0.2.1'].map(bouncer.blocks)).toEqual([true, true, true]);
    await lift('203.0.113.9');
    await bouncer.poll();
    expect(['203.0.113.8', '203.0.113.9'].map(bouncer.blocks)).toEqual([true, false]);
    await firewall.app.advance(61_000);
    await bouncer.poll();
    expect(['203.0.113.8', '192.0.2.1'].map(bouncer.blocks)).toEqual([false, true]);
  }

  describe.each(DELETED_LAST)('%s applies deleted last', (name) => {
    rule('as specified: an address whose one ban of two ends is open until the next poll', async () => {
      const bouncer = await start(name);
      await ban(IP, 600, 'sip');
      await ban(IP, 900, 'http');
      await bouncer.poll();
      expect(bouncer.blocks(IP)).toBe(true);
      await liftOne('sip');
      await bouncer.poll();
      expect(bouncer.blocks(IP)).toBe(false);
      await bouncer.poll();
      expect(bouncer.blocks(IP)).toBe(true);
    });

    rule('as a known client: it stays blocked, and is open once the last ban is gone', async () => {
      const bouncer = await start(name, name);
      await ban(IP, 600, 'sip');
      await ban(IP, 900, 'http');
      await bouncer.poll();
      for (const category of ['sip', 'http']) {
        expect(bouncer.blocks(IP)).toBe(true);
        await liftOne(category);
        await bouncer.poll();
      }
      expect(bouncer.blocks(IP)).toBe(false);
      await expectToFollow(bouncer);
    });

    rule('as a known client: the same for a ban and an entry of a filter, in either order', async () => {
      const bouncer = await start(name, name);
      for (const last of ['filter', 'ban']) {
        const filter = await deny(IP);
        await ban(IP, 600);
        await bouncer.poll();
        const ends = [() => done('DELETE', `/firewall/${filter}`), () => lift(IP)];
        for (const end of last === 'ban' ? ends : ends.reverse()) {
          expect(bouncer.blocks(IP)).toBe(true);
          await end();
          await bouncer.poll();
        }
        expect(bouncer.blocks(IP), `${last} last`).toBe(false);
        expect(bouncer.entryCount(), 'nothing is left behind').toBe(0);
      }
    });
  });

  describe.each(DELETED_FIRST)('%s applies deleted first', (name) => {
    rule.each(['', name])('works as the client %j', async (client) => {
      const bouncer = await start(name, client);
      await ban(IP, 600, 'sip');
      await ban(IP, 900, 'http');
      await bouncer.poll();
      await liftOne('sip');
      await bouncer.poll();
      expect(bouncer.blocks(IP)).toBe(true);
      await lift(IP);
      await bouncer.poll();
      expect(bouncer.blocks(IP)).toBe(false);
      await expectToFollow(bouncer);
    });
  });

  rule('the mirror that starts anew each time works as specified', async () => {
    const bouncer = await start('mirror that starts anew');
    await ban(IP, 600, 'sip');
    await ban(IP, 900, 'http');
    await bouncer.poll();
    await liftOne('sip');
    await bouncer.poll();
    expect(bouncer.blocks(IP)).toBe(true);
    await expectToFollow(bouncer);
  });

  rule(
    'lua keeps an entry whose duration has a fraction for ever; its own options never send one',
    async () => {
      const wrong = await start('lua', 'express');
      const right = await start('lua', 'lua');
      await ban(IP, 60);
      await Promise.all([wrong.poll(), right.poll()]);
      await firewall.app.advance(61_000);
      expect([wrong, right].map((bouncer) => bouncer.blocks(IP))).toEqual([true, false]);
    },
  );

  describe.each(['traefik', 'php', 'lua'])('%s queries each address', (client) => {
    rule.each(['', client])('works as the client %j: null is clean, anything else a ban', async (name) => {
      const { key } = await firewall.app.createKey({ client: name });
      const asked = async () => (await firewall.app.call('GET', `${DECISIONS}?ip=${IP}`, { key })).text;
      expect(await asked()).toBe('null');
      await ban('203.0.113.0/24', 600, 'sip');
      await ban(IP, 600, 'http');
      await lift(IP);
      expect(JSON.parse(await asked())).toHaveLength(1);
      await lift('203.0.113.0/24');
      expect(await asked()).toBe('null');
    });
  });
});
