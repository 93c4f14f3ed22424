import { describe, expect, test } from 'vitest';
import { identity } from '../../src/features/firewall/firewall-bouncer/decision.ts';
import { type Told, useFirewall } from '../firewall-rig.ts';
import { storePairs } from '../make-app.ts';

/** How many of `these` are not among `others`. */
const without = (these: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  [...these].filter((name) => !others.has(name)).length;

describe.each(storePairs)('contract 36: what each bouncer holds, on $name', (pair) => {
  const firewall = useFirewall(pair);
  const rule = test.skipIf(!pair.available);
  const read = async (id = firewall.keyId) => (await firewall.done('GET', `/api-keys/${id}`)).bouncer;
  const held = async (id = firewall.keyId) => {
    const { told, over, not_yet_told } = await read(id);
    return [told, over, not_yet_told];
  };

  rule(
    'contract 36.1: never, fresh, late, silent, and revoked once its key may not poll any more',
    async () => {
      expect(await read()).toMatchObject({
        state: 'never',
        last_poll_at: '',
        seconds_since: null,
        late_since: '',
      });
      await firewall.poll();
      expect(await read()).toMatchObject({ state: 'fresh', seconds_since: 0, interval_seconds: null });
      for (let i = 0; i < 3; i++) {
        await firewall.app.advance(10_000);
        await firewall.poll();
      }
      const { last_poll_at } = await read();
      await firewall.app.advance(30_000);
      expect(await read()).toMatchObject({ state: 'fresh', seconds_since: 30, interval_seconds: 10 });
      await firewall.app.advance(1000);
      expect(await read()).toMatchObject({ state: 'late', seconds_since: 31, late_since: last_poll_at });
      await firewall.app.advance(870_000);
      expect(await read()).toMatchObject({ state: 'silent', seconds_since: 901, late_since: last_poll_at });
      await firewall.poll();
      expect(await read()).toMatchObject({ state: 'fresh', late_since: '' });
      await firewall.done('PATCH', `/api-keys/${firewall.keyId}`, { allowed_paths: {} });
      expect(await read()).toMatchObject({ state: 'revoked' });
    },
  );

  rule('contract 36.1: a key not made for polling has no bouncer state until it polls', async () => {
    const { id, key } = await firewall.app.createKey({ full_permissions: true, allowed_paths: {} });
    const other = await firewall.app.createKey({ allowed_paths: { '/api/v3/cdr': 'read' } });
    expect([await read(id), await read(other.id)]).toEqual([null, null]);
    await firewall.poll('', key);
    expect(await read(id)).toMatchObject({ state: 'fresh' });
  });

  rule('contract 36.2: a restart changes neither the state nor the usual interval', async () => {
    for (let i = 0; i < 4; i++) {
      await firewall.poll();
      await firewall.app.advance(20_000);
    }
    await firewall.app.restart();
    expect(await read()).toMatchObject({ state: 'fresh', seconds_since: 20, interval_seconds: 20 });
    await firewall.app.advance(50_000);
    await firewall.poll();
    expect(await read()).toMatchObject({ state: 'fresh', interval_seconds: 20 });
    await firewall.app.advance(61_000);
    expect(await read()).toMatchObject({ state: 'late', interval_seconds: 20 });
  });

  rule(
    'contract 36.3: told, over and not yet told are counted, in the list too, and null after an hour',
    async () => {
      await firewall.ban('192.0.2.1', 600);
      await firewall.ban('192.0.2.2', 60);
      expect(await held()).toEqual([0, 0, 2]);
      await firewall.poll();
      expect(await held()).toEqual([2, 0, 0]);
      await firewall.ban('192.0.2.3', 600);
      await firewall.lift('192.0.2.1');
      expect(await held()).toEqual([2, 1, 1]);
      await firewall.app.advance(61_000);
      expect(await held()).toEqual([2, 2, 1]);
      const list: { id: string; bouncer: object }[] = await firewall.done('GET', '/api-keys');
      expect(list.find(({ id }) => id === firewall.keyId)?.bouncer).toEqual(await read());
      await firewall.poll();
      expect(await held()).toEqual([1, 0, 0]);
      await firewall.app.advance(3_601_000);
      expect(await read()).toMatchObject({ state: 'silent', told: null, over: null, not_yet_told: null });
    },
  );

  rule('contract 36.3: reading the counts moves no cursor', async () => {
    await firewall.ban('192.0.2.1', 600);
    await firewall.poll();
    await firewall.lift('192.0.2.1');
    for (let i = 0; i < 3; i++) expect(await held()).toEqual([1, 1, 0]);
    expect((await firewall.poll()).deleted).toHaveLength(1);
  });

  rule(
    'contract 36.3: the counts equal what answers told, whatever happens, with every kind of options',
    async () => {
      const keys = await Promise.all(
        [{}, { client: 'traefik' }, { bouncer_options: { one_per_address: true } }].map(async (fields) => ({
          ...(await firewall.app.createKey(fields)),
          observer: (await firewall.app.createKey(fields)).key,
          last: new Set<string>(),
        })),
      );
      const names = (told: readonly Told[]) =>
        new Set(told.map(({ value, scenario }) => identity(value, scenario as 'pbx/sip')));
      let seed = 7;
      const random = (below: number) => {
        seed = (seed * 48_271) % 2_147_483_647;
        return seed % below;
      };
      for (let step = 0; step < 40; step++) {
        const ip = `192.0.2.${1 + random(6)}`;
        const what = random(10);
        if (what < 4) await firewall.ban(ip, 30 + random(200), random(2) ? 'sip' : 'http');
        else if (what < 6) await firewall.lift(ip);
        else if (what < 7) await firewall.app.advance(random(60) * 1000);
        else if (what < 9) {
          const key = keys[random(keys.length)] as (typeof keys)[number];
          key.last = names((await firewall.poll('', key.key)).new);
        } else if (step % 10 === 9) await firewall.app.restart();
        for (const { id, observer, last } of keys) {
          const now = names((await firewall.poll('', observer)).new);
          const over = without(last, now);
          expect(await held(id), `step ${step}`).toEqual([last.size, over, without(now, last)]);
        }
      }
    },
  );

  rule('contract 36.4: the counts of the last usage report', async () => {
    expect(await read()).toMatchObject({ usage: null, last_metrics_at: '' });
    const items = [
      { name: 'dropped', value: 7, unit: 'packet', labels: { origin: 'pbx-fail2ban' } },
      { name: 'dropped', value: 5, unit: 'packet', labels: { origin: 'pbx-networkfilters' } },
      { name: 'dropped', value: 4200, unit: 'byte', labels: {} },
    ];
    const report = {
      remediation_components: [
        { type: 'firewall', metrics: [{ meta: { window_size_seconds: 1800 }, items }] },
      ],
    };
    const sent = await firewall.app.call('POST', '/firewall-bouncer/v1/usage-metrics', {
      key: firewall.key,
      body: report,
    });
    expect(sent.status).toBe(201);
    expect((await read()).usage).toEqual({
      window_seconds: 1800,
      dropped_packets: 12,
      dropped_bytes: 4200,
      dropped_requests: null,
      active_decisions: null,
    });
  });
});
