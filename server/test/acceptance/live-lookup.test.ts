import { describe, expect, test } from 'vitest';
import { brief, DECISIONS, useFirewall, valuesOf } from '../firewall-rig.ts';
import { type StorePair, storePairs } from '../make-app.ts';

describe.each(storePairs)('contract 8.7: GET /v1/decisions on $name', (pair: StorePair) => {
  const firewall = useFirewall(pair);
  const rule = test.skipIf(!pair.available);
  const look = (query = '') => firewall.app.call('GET', DECISIONS + query, { key: firewall.key });
  const found = async (query: string) => {
    const answer = await look(query);
    expect(answer.status, answer.text).toBe(200);
    return valuesOf(answer.body ?? []).sort();
  };

  async function banSome(): Promise<void> {
    await firewall.ban('203.0.113.7', 600, 'sip');
    await firewall.ban('203.0.113.7', 900, 'http');
    await firewall.ban('203.0.113.0/24', 60);
    await firewall.ban('2001:db8::/32', 700, 'iax');
    await firewall.deny('203.0.0.0/16 198.51.100.7');
  }

  rule('nothing found is 200 and the four bytes null', async () => {
    const answer = await look('?ip=192.0.2.1');
    expect([answer.status, answer.text]).toEqual([200, 'null']);
    expect(answer.headers.get('content-length')).toBe('4');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect((await look()).text).toBe('null');
  });

  rule('ip finds decisions equal to or containing it, longest remaining first', async () => {
    await banSome();
    expect(brief((await look('?ip=203.0.113.7')).body)).toEqual([
      '203.0.0.0/16 manual 596h',
      '203.0.113.7 http 900s',
      '203.0.113.7 sip 600s',
      '203.0.113.0/24 sip 60s',
    ]);
    expect(await found('?ip=2001:DB8:1::1')).toEqual(['2001:db8::/32']);
    expect(await found('?ip=::ffff:198.51.100.7')).toEqual(['198.51.100.7']);
  });

  rule('range finds what contains it; with contains=false what lies inside it', async () => {
    await banSome();
    expect(await found('?range=203.0.113.0/25')).toEqual(['203.0.0.0/16', '203.0.113.0/24']);
    expect(await found('?range=203.0.113.0/24&contains=true')).toEqual(['203.0.0.0/16', '203.0.113.0/24']);
    expect(await found('?range=203.0.113.0/24&contains=false')).toEqual([
      '203.0.113.0/24',
      '203.0.113.7',
      '203.0.113.7',
    ]);
    expect(await found('?range=0.0.0.0/0&contains=false')).toHaveLength(5);
    expect(await found('?range=0.0.0.0/0')).toEqual([]);
  });

  rule('a range of one address is contained by a ban of that address', async () => {
    await firewall.ban('203.0.113.7', 600);
    await firewall.ban('2001:db8::1', 600);
    expect(await found('?range=203.0.113.7/32')).toEqual(['203.0.113.7']);
    expect(await found('?range=2001:db8::1/128')).toEqual(['2001:db8::1']);
  });

  rule('value is exact', async () => {
    await banSome();
    expect(await found('?value=203.0.113.0/24')).toEqual(['203.0.113.0/24']);
    expect(await found('?value=203.0.113.0')).toEqual([]);
    expect(await found('?value=anything')).toEqual([]);
  });

  rule('scope counts in any letter case; a type other than ban finds nothing', async () => {
    await banSome();
    expect(await found('?scope=RANGE')).toHaveLength(3);
    expect(await found('?scope=ip')).toHaveLength(3);
    expect(await found('?scope=country')).toEqual([]);
    expect(await found('?type=ban')).toHaveLength(6);
    expect(await found('?type=captcha')).toEqual([]);
  });

  rule('conditions combine, the rest is ignored, none is all', async () => {
    await banSome();
    expect(await found('?ip=203.0.113.7&scope=Range&type=ban')).toEqual(['203.0.0.0/16', '203.0.113.0/24']);
    expect(await found('?ip=203.0.113.7&value=198.51.100.7')).toEqual([]);
    expect(await found('?ip=203.0.113.7&range=203.0.113.0/28')).toEqual(['203.0.0.0/16', '203.0.113.0/24']);
    expect(await found('?origins=lists&scenarios_containing=x&id_gt=9&limit=1')).toHaveLength(6);
    expect(await found('')).toHaveLength(6);
  });

  rule.each(['ip=nobody', 'ip=', 'ip=10.0.0.0/8', 'range=10.0.0.0/33', 'range=x'])(
    '%s is 400 with a message',
    async (query) => {
      const refused = await look(`?${query}`);
      expect(refused.status).toBe(400);
      expect(refused.body).toMatchObject({ result: false, httpCode: 400 });
      expect(refused.body.message).toContain(query.split('=')[0]);
    },
  );

  rule('it moves no cursor', async () => {
    await firewall.ban('203.0.113.7', 600);
    await firewall.poll();
    await firewall.lift('203.0.113.7');
    await look();
    expect((await firewall.poll()).deleted).toHaveLength(1);
  });

  rule('HEAD probes a key: 200, 401 or 403, never a body', async () => {
    const { key } = await firewall.app.createKey({ allowed_paths: {} });
    const probe = async (options: object) => {
      const answer = await firewall.app.call('HEAD', DECISIONS, options);
      return [answer.status, answer.text];
    };
    expect(await probe({ key: firewall.key })).toEqual([200, '']);
    expect(await probe({ key: 'f'.repeat(64) })).toEqual([401, '']);
    expect(await probe({})).toEqual([401, '']);
    expect(await probe({ key })).toEqual([403, '']);
  });
});
