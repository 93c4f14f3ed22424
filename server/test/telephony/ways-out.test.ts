import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT, PROVIDER_NUMBERS, type Provider, startProvider } from '../real/provider-asterisk.ts';
import { soon } from '../real/soon.ts';
import { type CallRecord, telephonyAvailable } from './exchange.ts';
import { useExchange } from './use-exchange.ts';

const legs = (call: CallRecord) =>
  call.records.map(({ to_account, dst_num, disposition }) => `${to_account} ${dst_num} ${disposition}`);

const MOBILE = '491701234567';

describe.skipIf(!telephonyAvailable())('ways out', () => {
  const held = useExchange([
    { number: '201' },
    { number: '202' },
    { number: '203', mobile_number: MOBILE, mobile_dialstring: PROVIDER_NUMBERS.answers },
    { number: '205', call_class: 'internal' },
    { number: '206' },
    { number: '207', sip_transport: 'tls' },
    { number: '204', fwd_forwarding: MOBILE, fwd_ringlength: 3, fwd_forwardingonunavailable: MOBILE },
  ]);
  let provider: Provider;
  let trunk: string;

  beforeAll(async () => {
    provider = await startProvider(held.exchange.net.next());
    held.outlive(() => provider.stop());
    trunk = await create({ description: 'B trunk', host: provider.address, ...ACCOUNT });
    await held.exchange.settled();
  });
  const create = async (fields: object): Promise<string> =>
    (await held.exchange.admin('POST', '/sip-providers', fields)).id;

  test('a mobile phone is called by its dial string and recorded by its number', async () => {
    const anna = await held.phone('201');
    await anna.dial(MOBILE);
    await anna.next('CALL_ESTABLISHED');
    await anna.hangUp();
    const [call] = await held.exchange.callsOf('201');
    expect(call).toMatchObject({ dst_num: MOBILE, dst_name: 'Employee 203', disposition: 'ANSWERED' });
    expect(legs(call!)).toEqual([`${trunk} ${MOBILE} ANSWERED`]);
  });

  test('a forward to a mobile phone uses its dial string too', async () => {
    const anna = await held.phone('202');
    await anna.dial('204');
    await anna.next('CALL_ESTABLISHED');
    await anna.hangUp();
    await soon(async () =>
      expect((await held.exchange.callsOf('202')).map(legs)).toEqual([
        [' 204 CHANUNAVAIL', `${trunk} ${MOBILE} ANSWERED`],
      ]),
    );
  });

  test('a silent provider is skipped and the next one tried', async () => {
    const { exchange } = held;
    const host = exchange.net.next();
    const silent = createSocket('udp4').bind(5060, host);
    await once(silent, 'listening');
    held.defer(() => silent.close());
    const heard = once(silent, 'message');
    // Its name sorts first. It is not probed, so only its silence shows that it is away.
    const fields = { description: 'A silent', host, username: '', registration_type: 'none', qualify: false };
    const away = await create(fields);
    await exchange.settled();
    const anna = await held.phone('203');
    await anna.dial(PROVIDER_NUMBERS.answers);
    const [first] = await heard;
    expect(String(first)).toMatch(new RegExp(`^INVITE sip:${PROVIDER_NUMBERS.answers}@`));
    await anna.next('CALL_ESTABLISHED');
    await anna.hangUp();
    await soon(async () =>
      expect((await exchange.callsOf('203')).map(legs)).toEqual([
        [`${away} ${PROVIDER_NUMBERS.answers} CHANUNAVAIL`, `${trunk} ${PROVIDER_NUMBERS.answers} ANSWERED`],
      ]),
    );
  });

  test('23.10: an employee bound to TLS can make emergency calls without it, and no other calls', async () => {
    const { exchange } = held;
    const way = { rulename: 'Help', providerid: trunk, trimfrombegin: 3, prepend: PROVIDER_NUMBERS.answers };
    const { id } = await exchange.admin('POST', '/outbound-routes', way);
    await exchange.settled();
    const phone = await held.phone('207', { registers: false });
    await phone.dial(PROVIDER_NUMBERS.answers);
    expect((await phone.next('CALL_CLOSED')).param).toMatch(/^403/);
    await phone.dial('112');
    await phone.next('CALL_ESTABLISHED');
    await phone.hangUp();
    await soon(async () => {
      const [refused, taken] = await exchange.callsOf('207', 2);
      expect(refused?.records).toMatchObject([
        { to_account: '', disposition: 'FAILED', dialstatus: 'NOROUTE' },
      ]);
      expect(taken).toMatchObject({ src_num: '207', dst_num: '112', disposition: 'ANSWERED' });
    });
    await exchange.admin('DELETE', `/outbound-routes/${id}`);
  });

  test('V12, V13: routes, classes and emergency numbers work from the interface to the call record', async () => {
    const { exchange } = held;
    const answers = { trimfrombegin: 7, prepend: PROVIDER_NUMBERS.answers };
    const ids: string[] = [];
    for (const fields of [
      { rulename: 'Refused', providerid: trunk, trimfrombegin: 7, prepend: PROVIDER_NUMBERS.overloaded },
      { rulename: 'Taken', providerid: trunk, ...answers },
    ])
      ids.push((await exchange.admin('POST', '/outbound-routes', fields)).id);
    await exchange.settled();
    const anna = await held.phone('206');
    await anna.dial('0301234');
    await anna.next('CALL_ESTABLISHED');
    await anna.hangUp();
    await soon(async () =>
      expect((await exchange.callsOf('206')).map(legs)).toEqual([
        [`${trunk} 0301234 FAILED`, `${trunk} 0301234 ANSWERED`],
      ]),
    );
    const boris = await held.phone('205');
    await boris.dial('0301234');
    expect((await boris.next('CALL_CLOSED')).param).toMatch(/^403/);
    await boris.dial('112');
    await boris.next('CALL_ESTABLISHED');
    await boris.hangUp();
    await soon(async () => {
      const [refused, taken] = await exchange.callsOf('205', 2);
      expect(refused?.records).toMatchObject([
        { dst_num: '0301234', to_account: '', disposition: 'FAILED', dialstatus: 'RESTRICTED' },
      ]);
      expect(taken).toMatchObject({ dst_num: '112', disposition: 'ANSWERED' });
    });
    for (const id of ids) await exchange.admin('DELETE', `/outbound-routes/${id}`);
  });
});
