import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { invite } from '../real/sip-invite.ts';
import { createSipSocket } from '../real/sip-socket.ts';
import { soon } from '../real/soon.ts';
import { telephonyAvailable } from './exchange.ts';
import { useExchange } from './use-exchange.ts';

/** The costliest patterns accepted; none of them matches the headers below. */
const WORST = ['a?a?a?a?.*.*b', '(.{0,120})(.{0,120})x', '(.{0,250}).*x', '(((.*)))(.*)y'];
const HEADERS = ['a', '1', '1@', 'a1 '].map((text) => text.repeat(3000).slice(0, 3000));

describe.skipIf(!telephonyAvailable())('contract 17.9: patterns of providers, in the engine itself', () => {
  const held = useExchange([{ number: '201' }]);

  const memoryMb = (pid: number) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

  test('the worst accepted patterns cost almost no time, and every call comes through', async () => {
    const phone = await held.phone('201');
    const self = held.exchange.net.next();
    const { id } = await held.exchange.admin('POST', '/sip-providers', { description: 'T', host: self });
    const socket = await createSipSocket(self, held.exchange.address, 5099);
    held.defer(() => socket.close());
    const pid = await held.exchange.enginePid();
    const before = memoryMb(pid);
    let calls = 0;
    for (const pattern of WORST) {
      const rule = { source: 'custom', custom_header: 'X-Number', parser_regex: pattern };
      const fields = Object.entries(rule).flatMap(([name, value]) => [
        [`cid_${name}`, value],
        [`did_${name}`, value],
      ]);
      await held.exchange.admin('PATCH', `/sip-providers/${id}`, Object.fromEntries(fields));
      await held.exchange.settled();
      for (const header of HEADERS) {
        const call = `pattern${++calls}`;
        const more = [`X-Number: ${header}`];
        await socket.call(
          invite({
            self,
            host: held.exchange.address,
            number: '201',
            from: `<sip:0151${calls}@x>`,
            id: call,
            more,
          }),
        );
        await phone.next('CALL_INCOMING');
        await phone.hangUp();
        await soon(() =>
          expect(
            socket.answers.some((text) => /^SIP\/2.0 486/.test(text) && text.includes(`Call-ID: ${call}\r`)),
          ).toBe(true),
        );
      }
    }
    // Proof that patterns run: one that matches sets the caller's number.
    const found = { cid_parser_regex: 'a*(\\d{4})$' };
    await held.exchange.admin('PATCH', `/sip-providers/${id}`, found);
    await held.exchange.settled();
    const more = [`X-Number: ${'a'.repeat(2996)}4711`];
    const last = {
      self,
      host: held.exchange.address,
      number: '201',
      from: '<sip:0151@x>',
      id: 'found',
      more,
    };
    await socket.call(invite(last));
    expect((await phone.next('CALL_INCOMING')).peeruri).toContain('4711');
    await phone.hangUp();
    const grown = memoryMb(pid) - before;
    expect(await held.exchange.enginePid()).toBe(pid);
    expect(grown).toBeLessThan(50);
    console.log(`${calls} calls with 3 KB of header each: the engine grew by ${grown.toFixed(1)} MB`);
  });
});
