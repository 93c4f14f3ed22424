import { beforeAll, describe, expect, test } from 'vitest';
import type { Phone } from '../real/baresip.ts';
import { ACCOUNT, type Provider, startProvider } from '../real/provider-asterisk.ts';
import { authorization } from '../real/sip-digest.ts';
import { invite } from '../real/sip-invite.ts';
import { createSipSocket } from '../real/sip-socket.ts';
import { soon } from '../real/soon.ts';
import { secretOf, telephonyAvailable } from './exchange.ts';
import { useExchange } from './use-exchange.ts';

const HTML = '<script>alert(1)</script>';
const DIALPLAN = '${SHELL(id)}$[1+1]&Local/1@x|,';
/** The text sent, and what remains of it in a number. */
const ATTACKS = [
  [
    'line ends',
    '\r\nX-Evil: yes\r\nEvent: Cdr\r\nLinkedid: 1\r\n\r\n',
    ' X-Evil: yes Event: Cdr Linkedid: 1',
  ],
  // The engine treats text after `;` as a parameter of the number.
  ['SQL', "'); DROP TABLE cdr_general;--", "')"],
  ['HTML', HTML, HTML],
  ['the dialplan', DIALPLAN, DIALPLAN],
] as const;
const encoded = (text: string) =>
  [...text].map((sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

describe.skipIf(!telephonyAvailable())('callers who attack with their number and name', () => {
  const held = useExchange(['201', '202', '203', '204', '205'].map((number) => ({ number })));
  let provider: Provider;
  let calls = 0;

  beforeAll(async () => {
    provider = await startProvider(held.exchange.net.next());
    held.outlive(() => provider.stop());
    const trunk = { description: 'Trunk', host: provider.address, ...ACCOUNT };
    await held.exchange.admin('POST', '/sip-providers', trunk);
    await held.exchange.settled();
  });

  /** Sends a call with this From header; can log in when challenged. */
  async function call(self: string, number: string, from: string, more: readonly string[] = []) {
    const { address: host } = held.exchange;
    const socket = await createSipSocket(self, host, 5099);
    held.defer(() => socket.close());
    const first = { self, host, number, from, id: `hostile${++calls}` };
    await socket.call(invite({ ...first, more }));
    const told = (status: number, seq = 1) =>
      soon(() => {
        const isIt = (text: string) => text.startsWith(`SIP/2.0 ${status}`) && text.includes(`CSeq: ${seq} `);
        const found = socket.answers.find(isIt);
        if (!found) throw new Error(`not told ${status}`);
        return found;
      });
    return {
      told,
      /** Answers the challenge with this account's secret. */
      async logIn(account: string) {
        const login = { number: account, secret: secretOf(account), method: 'INVITE' };
        const header = authorization(await told(401), { ...login, uri: `sip:${number}@${host}` });
        await socket.call(invite({ ...first, seq: 2, more: [...more, header] }));
      },
    };
  }
  const active = () => held.exchange.admin('GET', '/pbx-status:getActiveCalls');
  /** No text became a separate line on its way to the phone. */
  const sawNothing = (phone: Phone) =>
    expect(phone.trace.filter((line) => /^(X-Evil|Event|Linkedid)/.test(line))).toEqual([]);

  test.each(ATTACKS)(
    '%s in the number of a caller from outside is plain text in one active call and one record',
    async (_, text, shown) => {
      const boris = await held.phone('204');
      const before = await held.exchange.countCalls();
      const number = `01510${calls}`;
      await call(provider.address, '204', `"Outside" <sip:${number}${encoded(text)}@x>`);
      await boris.next('CALL_INCOMING');
      await soon(async () => expect(await active()).toMatchObject([{ src_num: number + shown }]));
      sawNothing(boris);
      await boris.hangUp();
      const [found, ...more] = await held.exchange.callsOf(number + shown);
      expect(found).toMatchObject({ src_name: 'Outside', did: '204', disposition: 'BUSY' });
      expect(more).toEqual([]);
      expect(await held.exchange.countCalls()).toBe(before + 1);
      await soon(async () => expect(await active()).toEqual([]));
    },
  );

  test.each(ATTACKS)(
    '%s in the name that a phone claims: the call has the name of its employee',
    async (_, text) => {
      const boris = await held.phone('205');
      const before = await held.exchange.callsOf('201', 0);
      const name = quoted(text.replaceAll(/[\r\n]/g, encoded));
      const claims = ['P-Asserted-Identity', 'Remote-Party-ID'].map(
        (header) => `${header}: ${name} <sip:1@x>`,
      );
      const from = `${name} <sip:201@${held.exchange.address}>`;
      const phone = await call(held.exchange.net.next(), '205', from, claims);
      await phone.logIn('201');
      await boris.next('CALL_INCOMING');
      const own = { src_num: '201', src_name: 'Employee 201', dst_num: '205' };
      await soon(async () => expect(await active()).toMatchObject([own]));
      sawNothing(boris);
      await boris.hangUp();
      const calls = await held.exchange.callsOf('201', before.length + 1);
      expect(calls).toHaveLength(before.length + 1);
      expect(calls.at(-1)).toMatchObject({ ...own, disposition: 'BUSY' });
      await soon(async () => expect(await active()).toEqual([]));
    },
  );

  test.each(ATTACKS)(
    '%s after the number of a phone: it is nobody, even with the right secret',
    async (_, text) => {
      const before = await held.exchange.countCalls();
      const from = `<sip:202${encoded(text)}@${held.exchange.address}>`;
      const phone = await call(held.exchange.net.next(), '203', from);
      await phone.logIn('202');
      await phone.told(401, 2);
      expect(await active()).toEqual([]);
      expect(await held.exchange.countCalls()).toBe(before);
      await held.exchange.engineUp();
    },
  );
});
