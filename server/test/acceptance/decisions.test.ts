import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { brief, STREAM, useFirewall, valuesOf } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';

describe.each(storePairs)('contract 8.2 and 8.3: decisions on $name', (pair: StorePair) => {
  const firewall = useFirewall(pair);
  const { done, ban, poll, insertFilter } = firewall;
  const rule = test.skipIf(!pair.available);
  const hasRedis = pair.available && pair.name.includes('Redis');
  const redisRule = test.skipIf(!hasRedis);
  const now = async () => (await poll()).new;
  const invalid = async () => (await done('GET', '/firewall')).invalidEntries;
  const seen = () => firewall.app.advance(5000);

  rule('a decision has seven keys in a fixed order, in new and in deleted', async () => {
    await ban('203.0.113.7', 600);
    const object =
      '{"id":2102261364,"origin":"pbx-fail2ban","type":"ban","scope":"Ip",' +
      '"value":"203.0.113.7","duration":"600s","scenario":"pbx/sip"}';
    const text = async () =>
      (await firewall.app.call('GET', STREAM, { key: firewall.key })).text
        .replace(/: +"/g, ':"')
        .replace(/\} *\]/g, '}]');
    expect(await text()).toBe(`{"new":[${object}],"deleted":[]}`);
    await firewall.lift('203.0.113.7');
    expect(await text()).toBe(`{"new":[],"deleted":[${object}]}`);
  });

  rule.each([
    ['203.0.113.7', 'sip', 2102261364],
    ['203.0.113.7', 'http', 580404187],
    ['203.0.113.7', 'ami', 1659432110],
    ['203.0.113.7', 'iax', 721343208],
    ['203.0.113.7', 'manual', 897627997],
    ['192.0.2.10', 'sip', 2017483008],
    ['192.0.2.10', 'manual', 827763535],
    ['198.51.100.0/24', 'manual', 1196898333],
    ['198.51.100.0/24', 'sip', 640087468],
    ['2001:db8::1', 'http', 1656034868],
    ['2001:db8::/32', 'manual', 1235827826],
    ['2001:db8::1982:d60e', 'http', 1],
    ['2001:db8::409e:8ca0', 'iax', 1],
  ])('contract 14.1: %s by %s has the id %i', async (value, category, id) => {
    if (category === 'manual') await firewall.deny(value);
    else await ban(value, 600, category);
    const manual = category === 'manual';
    expect(await now()).toEqual([
      {
        id,
        origin: manual ? 'pbx-networkfilters' : 'pbx-fail2ban',
        type: 'ban',
        scope: value.includes('/') ? 'Range' : 'Ip',
        value,
        duration: manual ? '596h' : '600s',
        scenario: `pbx/${category}`,
      },
    ]);
  });

  rule(
    'contract 14.1: two decisions may share an id; lifting one neither hides nor removes the other',
    async () => {
      const filter = await firewall.deny('198.18.5.203');
      await ban('198.18.70.156', 600, 'http');
      expect((await now()).map(({ id }) => id)).toEqual([21186452, 21186452]);
      await done('DELETE', `/firewall/${filter}`);
      const told = await poll();
      expect([valuesOf(told.new), valuesOf(told.deleted)]).toEqual([['198.18.70.156'], ['198.18.5.203']]);
      await firewall.deny('198.18.5.203');
      await poll();
      await firewall.lift('198.18.70.156');
      const after = await poll();
      expect([valuesOf(after.new), valuesOf(after.deleted)]).toEqual([['198.18.5.203'], ['198.18.70.156']]);
    },
  );

  redisRule.each([
    [600_000, '600s'],
    [599_900, '600s'],
    [599_000, '599s'],
    [1000, '1s'],
    [31_536_000_000, '31536000s'],
  ])('contract 14.2: a key with %i ms left is told as %s', async (ttl, duration) => {
    // Durations are whole seconds; on a busy machine one may pass before the answer.
    await eventually(async () => {
      await firewall.outsider.redis('SET', 'firewall:sip:203.0.113.7', '1', 'PX', String(ttl));
      expect(brief(await now())).toEqual([`203.0.113.7 sip ${duration}`]);
    });
  });

  redisRule(
    'contract 14.2: a key without end is exported as 596h, and an expired key is left out',
    async () => {
      await firewall.outsider.redis('SET', 'firewall:sip:203.0.113.7', '1');
      await firewall.outsider.redis('SET', 'firewall:sip:203.0.113.8', '1', 'PX', '1');
      const gone = async () =>
        expect(await firewall.outsider.redis('EXISTS', 'firewall:sip:203.0.113.8')).toBe(0);
      await eventually(gone);
      expect(brief(await now())).toEqual(['203.0.113.7 sip 596h']);
    },
  );

  rule.each([
    [' 203.0.113.7 , 198.51.100.0/24 ,', ['Range 198.51.100.0/24', 'Ip 203.0.113.7']],
    ['198.51.100.77/24', ['Range 198.51.100.0/24']],
    ['198.51.100.0/255.255.255.0', ['Range 198.51.100.0/24']],
    ['203.0.113.7/32', ['Range 203.0.113.7/32']],
    ['2001:DB8:0::1', ['Ip 2001:db8::1']],
    ['::ffff:203.0.113.9', ['Ip 203.0.113.9']],
    [
      '203.0.113.7;203.0.113.8\t203.0.113.9\n203.0.113.7',
      ['Ip 203.0.113.7', 'Ip 203.0.113.8', 'Ip 203.0.113.9'],
    ],
  ])('contract 14.3: deny %j is exported', async (deny, exported) => {
    await insertFilter({ deny });
    await seen();
    expect((await now()).map(({ scope, value }) => `${scope} ${value}`)).toEqual(exported);
    expect(await invalid()).toEqual([]);
  });

  rule(
    'contract 14.3: catch-alls, loopback and the unspecified are never exported, and are not reported',
    async () => {
      const silent = [
        '0.0.0.0/0',
        '::/0',
        '10.0.0.0/0',
        '0.0.0.0',
        '::',
        '127.0.0.1',
        '127.5.0.0/16',
        '::1',
        '::1/128',
        '0.0.0.0/1',
      ];
      for (const deny of [...silent, '', null]) await insertFilter({ deny });
      await insertFilter({ deny: silent.join(',') });
      await seen();
      expect(await now()).toEqual([]);
      expect(await invalid()).toEqual([]);
    },
  );

  rule('contract 14.3: unreadable text is skipped and reported with its row', async () => {
    const bad = [
      '010.0.0.1',
      '300.1.1.1',
      '10.0.0.0/33',
      '10.0.0.0/255.0.255.0',
      'fe80::1%eth0',
      'example.org',
    ];
    const id = await insertFilter({ deny: `203.0.113.7 ${bad.join(' ')}` });
    await seen();
    expect(brief(await now())).toEqual(['203.0.113.7 manual 596h']);
    expect(await invalid()).toEqual(bad.map((text) => ({ source: `m_NetworkFilters:${id}`, text })));
    await done('DELETE', `/firewall/${id}`);
    expect(await invalid()).toEqual([]);
  });

  redisRule('contract 14.3: the address is all text after the second colon; a CIDR is allowed', async () => {
    await firewall.outsider.redis(
      'MSET',
      'firewall:http:2001:db8::1',
      '',
      'firewall:sip:198.51.100.0/24',
      '0',
    );
    expect(brief(await now())).toEqual(['198.51.100.0/24 sip 596h', '2001:db8::1 http 596h']);
  });

  redisRule(
    'contract 14.3: other firewall keys are not bans, and a key that is no address is reported',
    async () => {
      const others = [
        'firewall:whitelist',
        'firewall:permit:http:10.0.0.0/8',
        'firewall:ssh:203.0.113.7',
        'firewall:sip:127.0.0.1',
        'firewall',
        'firewall:sip',
        'xfirewall:sip:203.0.113.7',
        'firewall:SIP:203.0.113.7',
        'firewall:manual:203.0.113.7',
      ];
      for (const key of others) await firewall.outsider.redis('SET', key, '1');
      const bad = [
        'firewall:sip:',
        'firewall:sip: 203.0.113.7',
        'firewall:sip:not-an-ip',
        'firewall:http:fe80::1%eth0',
      ];
      for (const key of bad) await firewall.outsider.redis('SET', key, '1', 'EX', '600');
      expect(await now()).toEqual([]);
      expect(await invalid()).toEqual(
        bad.toSorted().map((source) => ({ source, text: source.split(':').slice(2).join(':') })),
      );
      for (const key of bad) await firewall.outsider.redis('DEL', key);
      expect(await invalid()).toEqual([]);
    },
  );

  redisRule('the key’s existence is the ban, its value and kind are not read', async () => {
    await firewall.outsider.redis('SET', 'firewall:sip:203.0.113.1', '0');
    await firewall.outsider.redis('HSET', 'firewall:http:203.0.113.2', 'a', 'b');
    await firewall.outsider.redis('LPUSH', 'firewall:ami:203.0.113.3', 'x');
    await firewall.outsider.redis('SET', 'firewall:iax:203.0.113.4', Buffer.from([0xff, 0x00]));
    expect((await now()).map(({ scenario }) => scenario)).toEqual([
      'pbx/sip',
      'pbx/http',
      'pbx/ami',
      'pbx/iax',
    ]);
  });

  redisRule.each([
    ['2001:DB8:0:0::1', '2001:db8::1', 1656034868],
    ['::ffff:192.0.2.10', '192.0.2.10', undefined],
    ['198.51.100.99/24', '198.51.100.0/24', undefined],
    ['198.51.100.0/255.255.255.0', '198.51.100.0/24', undefined],
  ])('a key spelled %s is normalised to %s before its id is computed', async (spelled, value, id) => {
    await firewall.outsider.redis('SET', `firewall:http:${spelled}`, '1', 'EX', '600');
    const told = await now();
    expect(brief(told)).toEqual([`${value} http 600s`]);
    if (id) expect(told[0]?.id).toBe(id);
  });

  redisRule(
    'when two keys spell one ban, the longer time counts, and the ban ends with the last key',
    async () => {
      await firewall.outsider.redis('SET', 'firewall:http:2001:DB8::1', '1', 'EX', '600');
      await firewall.outsider.redis('SET', 'firewall:http:2001:db8::1', '1', 'EX', '60');
      expect(brief(await now())).toEqual(['2001:db8::1 http 600s']);
      await firewall.outsider.redis('DEL', 'firewall:http:2001:DB8::1');
      const shorter = await poll();
      expect([brief(shorter.new), shorter.deleted]).toEqual([['2001:db8::1 http 60s'], []]);
      await firewall.outsider.redis('DEL', 'firewall:http:2001:db8::1');
      expect(brief((await poll()).deleted)).toEqual(['2001:db8::1 http 60s']);
    },
  );

  rule('the same value in several rows is one decision, gone with the last of them', async () => {
    const ids = [await firewall.deny('203.0.113.7'), await firewall.deny('203.0.113.7, 203.0.113.7')];
    expect(brief(await now())).toEqual(['203.0.113.7 manual 596h']);
    await done('DELETE', `/firewall/${ids[0]}`);
    expect(await poll()).toMatchObject({ new: [{}], deleted: [] });
    await done('DELETE', `/firewall/${ids[1]}`);
    expect(await poll()).toMatchObject({ new: [], deleted: [{}] });
  });

  rule('one address under several scenarios is several decisions, the longest last', async () => {
    await ban('203.0.113.7', 900, 'sip');
    await ban('203.0.113.7', 60, 'iax');
    await ban('203.0.113.7', 600, 'http');
    await firewall.deny('203.0.113.7');
    expect(brief(await now()).map((text) => text.slice(12))).toEqual([
      'iax 60s',
      'http 600s',
      'sip 900s',
      'manual 596h',
    ]);
  });

  redisRule('with equal remaining time the order is sip, http, ami, iax, manual', async () => {
    for (const category of ['iax', 'ami', 'http', 'sip'])
      await firewall.outsider.redis('SET', `firewall:${category}:203.0.113.7`, '1');
    await firewall.deny('203.0.113.7');
    expect((await now()).map(({ scenario }) => scenario)).toEqual([
      'pbx/sip',
      'pbx/http',
      'pbx/ami',
      'pbx/iax',
      'pbx/manual',
    ]);
  });

  rule('values are in byte order, in new and in deleted', async () => {
    const inOrder = [
      '10.0.0.0/8',
      '10.0.0.10',
      '10.0.0.9',
      '192.0.2.1',
      '2001:db8::',
      '2001:db8::/32',
      '9.0.0.1',
      'fd00::1',
    ];
    for (const value of inOrder.toReversed()) await ban(value, 600);
    expect(valuesOf(await now())).toEqual(inOrder);
    for (const value of [...inOrder.slice(4), ...inOrder.slice(0, 4).reverse()]) await firewall.lift(value);
    expect(valuesOf((await poll()).deleted)).toEqual(inOrder);
  });

  redisRule('ban_key_prefix is put before firewall: as it is; keys without it are not ours', async () => {
    await firewall.restartWith({ PBXCORE_BAN_KEY_PREFIX: 'site:a:' });
    await ban('203.0.113.7', 600);
    expect(await firewall.outsider.redis('EXISTS', 'site:a:firewall:sip:203.0.113.7')).toBe(1);
    await firewall.outsider.redis('SET', 'firewall:sip:203.0.113.8', '1');
    await firewall.outsider.redis('SET', 'site:a:firewall:http:not:an:ip', '1');
    expect(valuesOf(await now())).toEqual(['203.0.113.7']);
    expect(await invalid()).toEqual([{ source: 'site:a:firewall:http:not:an:ip', text: 'not:an:ip' }]);
  });
});
