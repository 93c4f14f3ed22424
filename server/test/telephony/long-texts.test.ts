import { beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNT, PROVIDER_NUMBERS, type Provider, startProvider } from '../real/provider-asterisk.ts';
import { authorization } from '../real/sip-digest.ts';
import { invite } from '../real/sip-invite.ts';
import { createSipSocket } from '../real/sip-socket.ts';
import { soon } from '../real/soon.ts';
import { secretOf, telephonyAvailable } from './exchange.ts';
import { connect, talk, useExchange } from './use-exchange.ts';

const CYRILLIC = 'Жанна Щербакова-Ёлкина из отдела учёта '.repeat(3).slice(0, 100);
const SMILES = '📞'.repeat(100);
const QUOTES = `"Bob" \\ 'the\\' <one>; a=b, 50 % \${EXTEN} $[1+1] \\n \\`;

describe.skipIf(!telephonyAvailable())('texts as long as the protocol and the contract allow', () => {
  const held = useExchange([
    { number: '201', user_username: CYRILLIC },
    { number: '202', user_username: [...CYRILLIC].reverse().join('').trim() },
    { number: '203', user_username: SMILES },
    { number: '204', user_username: QUOTES },
    ...['205', '206', '207'].map((number) => ({ number })),
  ]);
  let provider: Provider;
  let calls = 0;

  beforeAll(async () => {
    provider = await startProvider(held.exchange.net.next());
    held.outlive(() => provider.stop());
    await held.exchange.admin('POST', '/sip-providers', {
      id: `SIP-PROVIDER-${'A'.repeat(64)}`,
      description: 'Trunk',
      host: provider.address,
      ...ACCOUNT,
    });
    await held.exchange.settled();
  });

  const active = () => held.exchange.admin('GET', '/pbx-status:getActiveCalls');
  const nameOf = async (number: string): Promise<string> =>
    (await held.exchange.admin('GET', `/employees?search=number:${number}`)).data[0].user_username;

  test.each([
    ['201', '202'],
    ['203', '204'],
    ['204', '201'],
  ])(
    '%s calls %s: both names are complete in the active call, on the phone and in the record',
    async (from, to) => {
      const [caller, callee] = [await held.phone(from), await held.phone(to)];
      const names = { src_name: await nameOf(from), dst_name: await nameOf(to) };
      await connect(caller, callee);
      await soon(async () =>
        expect(await active()).toMatchObject([{ src_num: from, dst_num: to, ...names }]),
      );
      await talk(1000);
      await caller.hangUp();
      await callee.next('CALL_CLOSED');
      await soon(async () => {
        const calls = await held.exchange.callsOf(from);
        const call = calls.find(({ dst_num }) => dst_num === to);
        expect(call).toMatchObject({ ...names, disposition: 'ANSWERED' });
        expect(call?.records).toMatchObject([{ ...names, recordingfile: expect.stringMatching(/.wav$/) }]);
      });
      const shown = callee.trace.find((line) => line.startsWith(`From: "`)) ?? '';
      const [, display = ''] = /^From: "((?:[^"\\]|\\.)*)"/.exec(shown) ?? [];
      expect(display.replace(/\\(.)/g, '$1')).toBe(names.src_name);
    },
  );

  /** Sends a call as bytes, as an employee's phone or the provider. */
  async function callAs(account: string | undefined, number: string, name: string, callId: string) {
    const { address: host } = held.exchange;
    const self = account === undefined ? provider.address : held.exchange.net.next();
    const socket = await createSipSocket(self, host, 5099);
    held.defer(() => socket.close());
    const caller = account ?? `0151${++calls}`;
    const first = {
      self,
      host,
      number,
      from: `"${name}" <sip:${caller}@${host}>`,
      id: `long${++calls}`,
      callId,
    };
    await socket.call(invite(first));
    if (account !== undefined) {
      const asked = await soon(() => {
        const found = socket.answers.find((text) => text.startsWith('SIP/2.0 401'));
        if (!found) throw new Error('not asked who it is');
        return found;
      });
      const login = { number: account, secret: secretOf(account), method: 'INVITE' };
      const header = authorization(asked, { ...login, uri: `sip:${number}@${host}` });
      await socket.call(invite({ ...first, seq: 2, more: [header] }));
    }
    return caller;
  }

  test.each([
    ['205', 1100],
    [undefined, 1100],
    ['205', 12_000],
    [undefined, 12_000],
  ])(
    'a call of %s with a Call-ID of %d characters has an active call, a record and a recording',
    async (account, signs) => {
      const boris = await held.phone('206');
      const before = account ? (await held.exchange.callsOf(account, 0)).length : 0;
      const callId = `id-${calls}-${'x'.repeat(signs)}`;
      const caller = await callAs(account, '206', 'Caller', callId);
      await boris.next('CALL_INCOMING');
      await boris.answer();
      await soon(async () => expect(await active()).toMatchObject([{ src_num: caller, dst_num: '206' }]));
      await talk(500);
      await boris.hangUp();
      const call = (await held.exchange.callsOf(caller, before + 1)).at(-1);
      expect(call).toMatchObject({ disposition: 'ANSWERED' });
      const [leg] = call?.records ?? [];
      expect(leg?.src_call_id.length).toBeGreaterThan(90);
      expect(callId.startsWith(leg?.src_call_id ?? '-')).toBe(true);
    },
  );

  test.each([
    ['Cyrillic letters', 'Щ'.repeat(300), 'Щ'.repeat(30)],
    ['one sign and Cyrillic letters', `x${'Щ'.repeat(300)}`, `x${'Щ'.repeat(30)}`],
    ['four bytes each', '📞'.repeat(300), '📞'.repeat(15)],
    ['quotes', 'A \\"b\\" \\\\ c', 'A "b" \\ c'],
  ])(
    'a name from outside of %s is cut at a whole character, in the record and on the phone',
    async (_, sent, least) => {
      const boris = await held.phone('207');
      const caller = await callAs(undefined, '207', sent, `name-${calls}`);
      const { peerdisplayname = '' } = await boris.next('CALL_INCOMING');
      await boris.hangUp();
      const [call] = await held.exchange.callsOf(caller);
      const whole = sent.replace(/\\(.)/g, '$1');
      expect(call?.src_name.startsWith(least)).toBe(true);
      expect(whole.startsWith(call?.src_name ?? '-')).toBe(true);
      expect(whole.startsWith(peerdisplayname.replace(/\\(.)/g, '$1'))).toBe(true);
    },
  );

  test('a number of 79 digits goes over a provider with the longest name, dialled by the longest name', async () => {
    const anna = await held.phone('203');
    const number = PROVIDER_NUMBERS.busy.padEnd(79, '7');
    await anna.dial(number);
    await anna.next('CALL_CLOSED');
    await soon(async () => {
      const call = (await held.exchange.callsOf('203')).at(-1);
      expect(call).toMatchObject({ dst_num: number, src_name: SMILES });
      expect(call?.records).toMatchObject([{ to_account: `SIP-PROVIDER-${'A'.repeat(64)}` }]);
    });
  });
});
