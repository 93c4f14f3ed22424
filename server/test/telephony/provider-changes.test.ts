import { beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT, PROVIDER_NUMBERS, type Provider, startProvider } from '../real/provider-asterisk.ts';
import { type PeerOptions, sdpOf, startPeer } from '../real/sip-peer.ts';
import { startRegistrar } from '../real/sip-registrar.ts';
import { soon } from '../real/soon.ts';
import { type CallRecord, telephonyAvailable } from './exchange.ts';
import { useExchange } from './use-exchange.ts';

/** Contract of this issue: states are correct within 5 s of a change; twice that on a busy machine. */
const TRUE_WITHIN_MS = 10_000;
const CHALLENGE = 'Digest realm="x", nonce="n", algorithm=MD5';

const legs = (call: CallRecord | undefined) =>
  call?.records.map(({ to_account, disposition }) => `${to_account} ${disposition}`);

describe.skipIf(!telephonyAvailable())('providers that change their behaviour or their settings', () => {
  const held = useExchange([
    ...['201', '202', '203', '204', '205', '206', '207', '209'].map((number) => ({ number })),
    { number: '208', fwd_forwardingonbusy: PROVIDER_NUMBERS.answers },
  ]);
  let company: Provider;
  let trunk: string;

  const create = async (fields: object): Promise<string> =>
    (await held.exchange.admin('POST', '/sip-providers', fields)).id;
  const statusOf = (id: string) => held.exchange.admin('GET', `/sip-providers/${id}:getStatus`);
  const registrar = async (secret: string, reply?: PeerOptions['reply']) => {
    const place = { address: held.exchange.net.next(), server: held.exchange.address };
    const made = await startRegistrar({ ...place, username: 'acme', secret, ...(reply && { reply }) });
    held.defer(() => made.stop());
    return made;
  };

  beforeAll(async () => {
    company = await startProvider(held.exchange.net.next());
    held.outlive(() => company.stop());
    trunk = await create({ description: 'Z last', host: company.address, ...ACCOUNT });
    await soon(async () => expect((await statusOf(trunk)).state).toBe('registered'));
  });

  /** The provider asked first, which refuses calls. */
  const refusing = async (status: string, more: readonly string[] = []) => {
    const peer = await startPeer({
      address: held.exchange.net.next(),
      server: held.exchange.address,
      reply: (_, method) => (method === 'INVITE' ? [{ status, more }] : undefined),
    });
    held.defer(() => peer.stop());
    const account = { username: 'us', secret: 'not-yours-1', registration_type: 'none' };
    const id = await create({ description: 'A first', host: peer.address, ...account });
    await held.exchange.settled();
    return id;
  };

  test.each([
    ['201', '401 Unauthorized', [`WWW-Authenticate: ${CHALLENGE}`]],
    ['202', '407 Proxy Authentication Required', [`Proxy-Authenticate: ${CHALLENGE}`]],
    ['203', '403 Forbidden', []],
  ])(
    '%s: a provider that answers %s takes no call, and the next one is tried',
    async (number, status, more) => {
      const first = await refusing(status, more);
      const anna = await held.phone(number);
      await anna.dial(PROVIDER_NUMBERS.answers);
      await anna.next('CALL_ESTABLISHED');
      await anna.hangUp();
      await soon(async () =>
        expect((await held.exchange.callsOf(number)).map(legs)).toEqual([
          [`${first} FAILED`, `${trunk} ANSWERED`],
        ]),
      );
      await held.exchange.admin('DELETE', `/sip-providers/${first}`);
      await held.exchange.settled();
    },
  );

  test('a refusing provider that a forward leads to is skipped too, after the forwarding phone rang', async () => {
    const first = await refusing('403 Forbidden');
    const [anna, boris] = [await held.phone('209'), await held.phone('208')];
    await anna.dial('208');
    await boris.next('CALL_INCOMING');
    await boris.hangUp();
    await anna.next('CALL_ESTABLISHED');
    await anna.hangUp();
    await soon(async () =>
      expect((await held.exchange.callsOf('209')).map(legs)).toEqual([
        [' BUSY', `${first} FAILED`, `${trunk} ANSWERED`],
      ]),
    );
    await held.exchange.admin('DELETE', `/sip-providers/${first}`);
    await held.exchange.settled();
  });

  test('a provider that sends 100 Trying and then nothing is skipped; one that sends ringing or sound is not', async () => {
    const said: Readonly<Record<string, readonly string[]>> = {
      [PROVIDER_NUMBERS.answers]: ['100 Trying'],
      '4930901': ['100 Trying', '180 Ringing'],
      '4930902': ['100 Trying', '183 Session Progress'],
    };
    const address = held.exchange.net.next();
    const peer = await startPeer({
      address,
      server: held.exchange.address,
      reply(request, method) {
        const [, number = ''] = /^INVITE sip:(\d+)@/.exec(request) ?? [];
        const sound = (status: string) => (status.startsWith('183') ? [sdpOf(address)] : []);
        if (method === 'INVITE') return said[number]?.map((status) => ({ status, more: sound(status) }));
        return method === 'CANCEL' ? [{ status: '200 OK' }] : undefined;
      },
    });
    held.defer(() => peer.stop());
    const first = await create({ description: 'A first', host: address, registration_type: 'none' });
    await held.exchange.settled();
    const phones = [await held.phone('204'), await held.phone('205'), await held.phone('206')] as const;
    const [anna, boris, cora] = phones;
    for (const [i, number] of Object.keys(said).entries()) await phones[i]?.dial(number);
    await anna.next('CALL_ESTABLISHED');
    // Between two attempts a call is not shown for a moment.
    await soon(async () => {
      const active: { src_num: string }[] = await held.exchange.admin('GET', '/pbx-status:getActiveCalls');
      expect(active.map(({ src_num }) => src_num).sort()).toEqual(['204', '205', '206']);
    });
    await anna.hangUp();
    await soon(async () =>
      expect((await held.exchange.callsOf('204')).map(legs)).toEqual([
        [`${first} FAILED`, `${trunk} ANSWERED`],
      ]),
    );
    for (const phone of [boris, cora]) {
      expect(phone.events.map(({ type }) => type)).not.toContain('CALL_CLOSED');
      await phone.hangUp();
      await soon(async () =>
        expect((await held.exchange.callsOf(phone.number)).map(legs)).toEqual([[`${first} NO ANSWER`]]),
      );
    }
    await held.exchange.admin('DELETE', `/sip-providers/${first}`);
    await held.exchange.settled();
  });

  test('a wrong new secret is rejected at once with the reason of the provider; the right one registers at once', async () => {
    const far = await registrar('the-right-one');
    const login = { username: 'acme', secret: 'the-right-one' };
    const id = await create({ description: 'Y trunk', host: far.address, ...login });
    const hasState = (state: object) =>
      soon(async () => expect(await statusOf(id)).toMatchObject(state), TRUE_WITHIN_MS);
    await hasState({ state: 'registered' });
    await held.exchange.admin('PATCH', `/sip-providers/${id}`, { secret: 'a-wrong-one' });
    await hasState({ state: 'rejected', rejectionReason: expect.stringContaining('401 Unauthorized') });
    await held.exchange.admin('PATCH', `/sip-providers/${id}`, { secret: 'the-right-one' });
    await hasState({ state: 'registered' });
    expect(far.isRegistered()).toBe(true);
    await held.exchange.admin('DELETE', `/sip-providers/${id}`);
    await held.exchange.settled();
  });

  test('a provider that changes its secret is shown as rejected after the first call that it refuses', async () => {
    const far = await registrar('the-old-one', (_, method) =>
      method === 'INVITE' ? [{ status: '403 Forbidden' }] : undefined,
    );
    const login = { username: 'acme', secret: 'the-old-one' };
    const id = await create({ description: 'A trunk', host: far.address, ...login });
    await soon(async () => expect((await statusOf(id)).state).toBe('registered'));
    far.setSecret('the-new-one');
    const anna = await held.phone('207');
    await anna.dial(PROVIDER_NUMBERS.answers);
    await anna.next('CALL_ESTABLISHED');
    await soon(async () => expect((await statusOf(id)).state).toBe('rejected'), TRUE_WITHIN_MS);
    await anna.hangUp();
    await held.exchange.admin('DELETE', `/sip-providers/${id}`);
    await held.exchange.settled();
  });

  test.each([
    ['is disabled', 'POST', ':updateStatus', { disabled: true }],
    ['is deleted', 'DELETE', '', undefined],
    ['is moved to another host', 'PATCH', '', { host: '127.0.0.1' }],
    ['no longer registers', 'PATCH', '', { registration_type: 'none' }],
  ])('a provider that %s no longer has our registration', async (_, method, verb, body) => {
    const far = await registrar('the-secret');
    const login = { username: 'acme', secret: 'the-secret' };
    const id = await create({ description: 'Y trunk', host: far.address, ...login });
    await soon(() => expect(far.isRegistered()).toBe(true), TRUE_WITHIN_MS);
    await soon(async () => expect((await statusOf(id)).state).toBe('registered'));
    await held.exchange.admin(method, `/sip-providers/${id}${verb}`, body);
    await soon(() => expect(far.isRegistered()).toBe(false), TRUE_WITHIN_MS);
    if (method !== 'DELETE') await held.exchange.admin('DELETE', `/sip-providers/${id}`);
    await held.exchange.settled();
  });
});
