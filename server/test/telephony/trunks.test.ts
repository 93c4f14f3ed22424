import { beforeAll, describe, expect, test } from 'vitest';
import {
  ACCOUNT,
  PROVIDER_HZ,
  PROVIDER_NUMBERS,
  type Provider,
  startProvider,
} from '../real/provider-asterisk.ts';
import { invite } from '../real/sip-invite.ts';
import { registerOnce } from '../real/sip-registration.ts';
import { createSipSocket } from '../real/sip-socket.ts';
import { startRefusing } from '../real/sipp.ts';
import { soon } from '../real/soon.ts';
import { type CallRecord, telephonyAvailable } from './exchange.ts';
import { LOUD, talk, useExchange } from './use-exchange.ts';

const legs = (call: CallRecord | undefined) =>
  call?.records.map(({ to_account, disposition }) => `${to_account} ${disposition}`);

describe.skipIf(!telephonyAvailable())('calls through providers', () => {
  const held = useExchange(
    [
      ...['201', '202', '203', '204', '205', '206', '210', '211', '250'].map((number) => ({ number })),
      { number: '220', sip_enableRecording: true },
    ],
    { PBXCORE_INBOUND_EXTENSION: '250' },
  );
  let provider: Provider;
  let trunk: string;

  const create = async (fields: object): Promise<string> => {
    const { id } = await held.exchange.admin('POST', '/sip-providers', {
      description: 'Trunk',
      host: provider.address,
      ...ACCOUNT,
      ...fields,
    });
    return id;
  };
  const stateOf = async (id: string) =>
    (await held.exchange.admin('GET', `/sip-providers/${id}:getStatus`)).state;

  beforeAll(async () => {
    provider = await startProvider(held.exchange.net.next());
    held.outlive(() => provider.stop());
    // Its name sorts first, so outbound calls use it.
    trunk = await create({ description: 'B trunk' });
    await soon(async () => expect(await stateOf(trunk)).toBe('registered'));
  });

  test('a wrong password is shown as rejected', async () => {
    const id = await create({ description: 'Z wrong', secret: 'not the secret' });
    await soon(async () => expect(await stateOf(id)).toBe('rejected'));
    await held.exchange.admin('DELETE', `/sip-providers/${id}`);
  });

  test('a provider that is away is shown as not registered', async () => {
    const id = await create({ description: 'Z away', host: held.exchange.net.next() });
    await held.exchange.settled();
    await soon(async () => expect(await stateOf(id)).toBe('unregistered'));
    await held.exchange.admin('DELETE', `/sip-providers/${id}`);
    await held.exchange.settled();
  });

  test('a provider that registers with us is registered only with its own secret', async () => {
    const account = { username: 'in.bound+1', secret: 'inbound-secret' };
    const id = await create({ description: 'Z inbound', registration_type: 'inbound', ...account });
    await held.exchange.settled();
    expect(await stateOf(id)).not.toBe('registered');
    const place = { server: held.exchange.address, address: held.exchange.net.next() };
    expect(await registerOnce({ number: account.username, secret: 'another', ...place })).toBe(401);
    expect(await registerOnce({ number: account.username, secret: account.secret, ...place })).toBe(200);
    await soon(async () => expect(await stateOf(id)).toBe('registered'));
    await held.exchange.admin('DELETE', `/sip-providers/${id}`);
    await held.exchange.settled();
  });

  test('a number that is not an extension goes out over the provider, and both directions are recorded', async () => {
    const anna = await held.phone('220', { hz: 440 });
    await anna.dial(PROVIDER_NUMBERS.answers);
    await anna.next('CALL_ESTABLISHED');
    await talk(2000);
    await anna.hangUp();
    await anna.next('CALL_CLOSED');
    expect((await anna.heard()).strength(PROVIDER_HZ)).toBeGreaterThan(LOUD);
    const leg = await soon(async () => {
      const [call] = await held.exchange.callsOf('220');
      expect(call).toMatchObject({ dst_num: PROVIDER_NUMBERS.answers, disposition: 'ANSWERED' });
      const [found] = call?.records ?? [];
      expect(found).toMatchObject({ to_account: trunk, recordingfile: expect.stringMatching(/.wav$/) });
      return found!;
    });
    const sound = await held.exchange.recordingOf(leg);
    expect(sound.strength(440)).toBeGreaterThan(LOUD);
    expect(sound.strength(PROVIDER_HZ)).toBeGreaterThan(LOUD);
  });

  test.each([
    ['201', 'busy', /^486/, 'BUSY'],
    ['202', 'unknown', /^(404|480|503)/, 'CHANUNAVAIL'],
    ['203', 'overloaded', /^(503|480|500)/, 'FAILED'],
  ] as const)('%s dials out: %s reaches the caller and the record', async (number, kind, told, recorded) => {
    const anna = await held.phone(number);
    await anna.dial(PROVIDER_NUMBERS[kind]);
    expect((await anna.next('CALL_CLOSED')).param).toMatch(told);
    const [call] = await held.exchange.callsOf(number);
    expect(legs(call)).toEqual([`${trunk} ${recorded}`]);
  });

  test('an outbound call that nobody answers ends as without answer', async () => {
    const anna = await held.phone('204');
    await anna.dial(PROVIDER_NUMBERS.ringsForever);
    await anna.next('CALL_RINGING');
    await anna.hangUp();
    expect(legs((await held.exchange.callsOf('204'))[0])).toEqual([`${trunk} NO ANSWER`]);
  });

  test('when the first provider fails, the next one is tried', async () => {
    const broken = held.exchange.net.next();
    const refusing = await startRefusing(
      { address: broken, server: held.exchange.address },
      '503 Service Unavailable',
    );
    held.defer(() => refusing.stop());
    const away = await create({
      description: 'A broken',
      host: broken,
      username: '',
      registration_type: 'none',
    });
    await held.exchange.settled();
    const anna = await held.phone('205');
    await anna.dial(PROVIDER_NUMBERS.answers);
    await anna.next('CALL_ESTABLISHED');
    await anna.hangUp();
    await soon(async () =>
      expect((await held.exchange.callsOf('205')).map(legs)).toEqual([
        [`${away} FAILED`, `${trunk} ANSWERED`],
      ]),
    );
    await held.exchange.admin('DELETE', `/sip-providers/${away}`);
    await held.exchange.settled();
  });

  test('a call from outside rings the extension named by its number', async () => {
    const boris = await held.phone('210', { hz: 1000 });
    await provider.callIn('210', '"Outside" <015112345>');
    const incoming = await boris.next('CALL_INCOMING');
    expect(incoming.peeruri).toContain('015112345');
    await boris.answer();
    await boris.next('CALL_ESTABLISHED');
    await talk();
    await boris.hangUp();
    expect((await boris.heard()).strength(PROVIDER_HZ)).toBeGreaterThan(LOUD);
    const [call] = await held.exchange.callsOf('015112345');
    expect(call).toMatchObject({ dst_num: '210', did: '210', src_name: 'Outside', disposition: 'ANSWERED' });
    expect(call?.records).toMatchObject([{ from_account: trunk }]);
  });

  test('a call from outside to a number of nobody rings the inbound extension', async () => {
    const desk = await held.phone('250');
    await provider.callIn('4930777', '<015154321>');
    await desk.next('CALL_INCOMING');
    await desk.answer();
    await desk.next('CALL_ESTABLISHED');
    await desk.hangUp();
    const [call] = await held.exchange.callsOf('015154321');
    // The call's destination is the dialled number (contract 5.3), the leg's is the phone that rang.
    expect(call).toMatchObject({ dst_num: '4930777', did: '4930777', disposition: 'ANSWERED' });
    expect(call?.records).toMatchObject([{ dst_num: '250', from_account: trunk }]);
  });

  test.each([
    ['015100001', "Robert'); DROP TABLE calls;--"],
    ['015100002', '<script>alert(1)</script><img src=x>'],
    ['015100003', '${SHELL(id)} $[1+1] %0d%0aEvent: Cdr'],
    ['015100004', '=HYPERLINK(1);a,b|c&d ${CDR(src)}'],
  ])('a caller from outside %s whose name attacks (%s) is shown as text', async (number, name) => {
    const boris = await held.phone('211');
    await provider.callIn('211', `"${name}" <${number}>`);
    await boris.next('CALL_INCOMING');
    await boris.hangUp();
    const [call] = await held.exchange.callsOf(number);
    expect(call?.src_name.replaceAll('\\', '')).toBe(name);
    expect(call).toMatchObject({ dst_num: '211', disposition: 'BUSY' });
  });

  test('a name from outside with line ends is not let in', async () => {
    const boris = await held.phone('206');
    const socket = await createSipSocket(provider.address, held.exchange.address, 5099);
    held.defer(() => socket.close());
    const names = [
      '"Evil\r\n X-Evil: yes\r\n Event: Cdr"',
      'Evil\r\n Event\r\n',
      '"Plain\tand \\"quoted\\" \u0007"',
    ];
    for (const [i, name] of names.entries()) {
      const from = `${name} <sip:015100009@x>`;
      await socket.call(
        invite({ self: provider.address, host: held.exchange.address, number: '206', from, id: `n${i}` }),
      );
    }
    await boris.next('CALL_INCOMING');
    await boris.hangUp();
    await soon(() => expect(socket.answers.some((text) => text.startsWith('SIP/2.0 486'))).toBe(true));
    const calls = await held.exchange.callsOf('015100009');
    expect(calls).toMatchObject([
      { did: '206', disposition: 'BUSY', src_name: expect.stringMatching(/^Plain/) },
    ]);
    expect(calls[0]?.src_name).not.toMatch(/[\r\n]/);
  });
});
