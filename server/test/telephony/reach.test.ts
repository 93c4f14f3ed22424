import { describe, expect, test } from 'vitest';
import { startPhone } from '../real/baresip.ts';
import { startPeer } from '../real/sip-peer.ts';
import { soon } from '../real/soon.ts';
import { openExchange, secretOf, telephonyAvailable } from './exchange.ts';
import { useExchange } from './use-exchange.ts';

const CONFIGURED = ['udp', 'tcp', 'udp,tcp', 'tls'] as const;
const USED = ['udp', 'tcp', 'tls'] as const;
const PAIRS = CONFIGURED.flatMap((sip_transport, i) =>
  USED.map((used, j) => ({ number: `3${i}${j}`, sip_transport, used })),
);

describe.skipIf(!telephonyAvailable())('an available phone can be reached', () => {
  const held = useExchange([
    { number: '201' },
    { number: '202' },
    { number: '203' },
    ...PAIRS.map(({ number, sip_transport }) => ({ number, sip_transport })),
  ]);
  const statusOf = (number: string) => held.exchange.admin('GET', `/sip/${number}:getStatus`);
  const open = async ({ number, used }: (typeof PAIRS)[number]) => {
    const server = used === 'tls' ? `${held.exchange.address}:5061` : held.exchange.address;
    const address = held.exchange.net.next();
    const phone = await startPhone({ number, secret: secretOf(number), address, server, transport: used });
    held.defer(() => phone.leave());
    return phone;
  };
  const isRefused = ({ sip_transport, used }: (typeof PAIRS)[number]) =>
    sip_transport === 'tls' && used !== 'tls';

  test.each(PAIRS.filter((pair) => !isRefused(pair)))(
    '$number is to use $sip_transport and its phone uses $used: it is available and rings',
    async (pair) => {
      const [caller, phone] = [await held.phone('201'), await open(pair)];
      await soon(async () => expect(await statusOf(pair.number)).toMatchObject({ status: 'Available' }));
      await caller.dial(pair.number);
      await phone.next('CALL_INCOMING');
      await caller.hangUp();
      await phone.next('CALL_CLOSED');
    },
  );

  test.each(PAIRS.filter(isRefused))(
    '$number is to use $sip_transport and its phone uses $used: it gets 403 and cannot call, as log, status and record say',
    async (pair) => {
      const phone = await open(pair);
      expect(phone.events.at(-1)).toMatchObject({ type: 'REGISTER_FAIL', param: '403 Forbidden' });
      await soon(async () =>
        expect(await statusOf(pair.number)).toMatchObject({
          status: 'Unavailable',
          devices: [],
          failed_logins: [{ reason: 'without TLS' }],
        }),
      );
      expect(await held.exchange.logs()).toContain('refused login: the secret is right');
      await phone.dial('201');
      expect((await phone.next('CALL_CLOSED')).param).toMatch(/^403/);
      expect(await held.exchange.callsOf(pair.number)).toMatchObject([
        { src_name: `Employee ${pair.number}`, dst_num: '201', disposition: 'FAILED' },
      ]);
      const caller = await held.phone('202');
      await caller.dial(pair.number);
      expect((await caller.next('CALL_CLOSED')).param).toMatch(/^480/);
    },
  );

  test('a phone without TLS is no device either when the engine listens on all addresses and cannot refuse it', async () => {
    const ports = { PBXCORE_SIP_PORT: '25060', PBXCORE_SIP_TLS_PORT: '25061' };
    const exchange = await openExchange({ PBXCORE_SIP_HOST: '0.0.0.0', ...ports });
    held.defer(() => exchange.close());
    await exchange.hire({ number: '201', sip_transport: 'tls' });
    for (const transport of ['udp', 'tcp'] as const) {
      const address = exchange.net.next();
      const server = '127.0.0.1:25060';
      const phone = await startPhone({ number: '201', secret: secretOf('201'), address, server, transport });
      held.defer(() => phone.leave());
      await soon(async () =>
        expect(await exchange.admin('GET', '/sip/201:getStatus')).toMatchObject({
          status: 'Unavailable',
          devices: [],
          failed_logins: transport === 'udp' ? [{ reason: 'without TLS' }] : [{ reason: 'without TLS' }, {}],
        }),
      );
    }
  });

  test('a phone with no common codec (488) counts as failed, not as absent', async () => {
    const caller = await held.phone('201');
    const peer = await startPeer({
      address: held.exchange.net.next(),
      server: held.exchange.address,
      reply: (_, method) => (method === 'INVITE' ? [{ status: '488 Not Acceptable Here' }] : undefined),
    });
    held.defer(() => peer.stop());
    expect(await peer.register('203', secretOf('203'))).toBe(200);
    await soon(async () => expect(await statusOf('203')).toMatchObject({ status: 'Available' }));
    await caller.dial('203');
    expect((await caller.next('CALL_CLOSED')).param).toMatch(/^488/);
    await soon(async () => {
      const calls = await held.exchange.callsOf('201');
      expect(calls.find(({ dst_num }) => dst_num === '203')).toMatchObject({ disposition: 'FAILED' });
    });
  });

  test('a phone that lost power is reached again as soon as it is back, at the same port', async () => {
    let isOn = false;
    const peer = await startPeer({
      address: held.exchange.net.next(),
      server: held.exchange.address,
      reply(_, method) {
        if (!isOn) return [];
        return method === 'INVITE' ? [{ status: '180 Ringing' }] : undefined;
      },
    });
    held.defer(() => peer.stop());
    expect(await peer.register('202', secretOf('202'))).toBe(200);
    await soon(async () =>
      expect(await statusOf('202')).toMatchObject({ status: 'Unavailable', devices: [{}] }),
    );
    isOn = true;
    expect(await peer.register('202', secretOf('202'))).toBe(200);
    await soon(async () => expect(await statusOf('202')).toMatchObject({ status: 'Available' }), 10_000);
    const caller = await held.phone('201');
    await caller.dial('202');
    await caller.next('CALL_RINGING');
    await caller.hangUp();
  });
});
