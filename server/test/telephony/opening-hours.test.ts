import { describe, expect, test } from 'vitest';
import type { Phone } from '../real/baresip.ts';
import { invite } from '../real/sip-invite.ts';
import { createSipSocket } from '../real/sip-socket.ts';
import { soon } from '../real/soon.ts';
import { telephonyAvailable } from './exchange.ts';
import { useExchange } from './use-exchange.ts';

const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
/** Contains the current time in every time zone. */
const NOW = { date_from: day(-2), date_to: day(2), time_from: '', time_to: '' };
const LONG_AGO = { date_from: '2020-01-01', date_to: '2020-01-02', time_from: '', time_to: '' };

describe.skipIf(!telephonyAvailable())('opening hours', () => {
  const numbers = ['201', '202', '203', '204', '205', '206', '207', '208', '209', '210'];
  const held = useExchange(numbers.map((number) => ({ number })));
  const { admin } = {
    admin: (...args: Parameters<typeof held.exchange.admin>) => held.exchange.admin(...args),
  };
  let calls = 0;

  /** A caller outside, at an address stored as our provider. */
  async function outside() {
    const self = held.exchange.net.next();
    const { id } = await admin('POST', '/sip-providers', { description: `T${self}`, host: self });
    const socket = await createSipSocket(self, held.exchange.address, 5099);
    held.defer(() => socket.close());
    held.defer(() => admin('DELETE', `/sip-providers/${id}`));
    return {
      async calls(number: string): Promise<string> {
        const caller = `0151${++calls}`;
        const from = `<sip:${caller}@x>`;
        await socket.call(invite({ self, host: held.exchange.address, number, from, id: `c${calls}` }));
        return caller;
      },
    };
  }
  async function close(fields: object): Promise<string> {
    const { id } = await admin('POST', '/off-work-times', { description: 'Closed', ...NOW, ...fields });
    held.defer(async () => {
      await admin('POST', '/off-work-times:override', { mode: 'auto' });
      await admin('DELETE', `/off-work-times/${id}`);
    });
    return id;
  }
  async function rings(phone: Phone): Promise<void> {
    await phone.next('CALL_INCOMING');
    await phone.hangUp();
    await phone.next('CALL_CLOSED');
  }
  const story = (caller: string, legs: readonly string[]) =>
    soon(async () => {
      const [call] = await held.exchange.callsOf(caller);
      expect(call?.records.map(({ dst_num, disposition }) => `${dst_num} ${disposition}`)).toEqual(legs);
    });

  test('26.1, 26.10: a closed line sends only calls from outside to its target, and asks no route again', async () => {
    const [anna, night, colleague] = [
      await held.phone('201'),
      await held.phone('202'),
      await held.phone('203'),
    ];
    const company = await outside();
    const id = await close({ extension: '202' });
    await held.exchange.settled();
    const caller = await company.calls('201');
    await rings(night);
    await story(caller, ['202 BUSY']);
    await colleague.dial('201');
    await rings(anna);
    // 204 has no phone; the routes would have led to 201.
    await admin('PATCH', `/off-work-times/${id}`, { extension: '204' });
    await held.exchange.settled();
    await story(await company.calls('201'), ['204 CHANUNAVAIL']);
    expect(anna.events.filter(({ type }) => type === 'CALL_INCOMING')).toHaveLength(1);
  });

  test('26.2: a rule restricted to a route does not affect calls of other routes', async () => {
    const [anna, night] = [await held.phone('205'), await held.phone('206')];
    const company = await outside();
    const [first, second] = [
      await admin('POST', '/incoming-routes', { number: '4930111', extension: '205' }),
      await admin('POST', '/incoming-routes', { number: '4930222', extension: '205' }),
    ];
    await close({ extension: '206', allowRestriction: true, incomingRouteIds: [first.id] });
    held.defer(() => admin('DELETE', `/incoming-routes/${first.id}`));
    held.defer(() => admin('DELETE', `/incoming-routes/${second.id}`));
    await held.exchange.settled();
    await company.calls('4930111');
    await rings(night);
    await company.calls('4930222');
    await rings(anna);
  });

  test('26.12: the switch stays in effect while the service is down, and ends by itself', async () => {
    const [anna, night] = [await held.phone('207'), await held.phone('208')];
    const company = await outside();
    await close({ extension: '208' });
    await admin('POST', '/off-work-times:override', { mode: 'open' });
    await held.exchange.settled();
    await held.exchange.service.kill();
    await company.calls('207');
    await rings(anna);
    await held.exchange.service.start();
    await held.exchange.engineUp();
    const until = Date.now() + 2000;
    await admin('POST', '/off-work-times:override', { mode: 'open', until: new Date(until).toISOString() });
    await held.exchange.settled();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, until + 1000 - Date.now())));
    await company.calls('207');
    await rings(night);
  });

  test('26.13: a phone can close and open the line while the service is down, which learns it later; without a rule it stays open', async () => {
    const [anna, night] = [await held.phone('209'), await held.phone('210')];
    const [first, second] = [await held.phone('203'), await held.phone('204')];
    const company = await outside();
    await held.exchange.settled();
    await first.dial('*28');
    await first.next('CALL_CLOSED');
    expect((await first.heard()).beeps(880)).toBe(1);
    await company.calls('209');
    await rings(anna);
    await close({ extension: '210', ...LONG_AGO });
    await held.exchange.settled();
    const override = async () => (await admin('GET', '/off-work-times:getState')).override?.mode ?? null;
    await held.exchange.service.kill();
    await first.dial('*28');
    await first.next('CALL_CLOSED');
    await company.calls('209');
    await rings(night);
    await held.exchange.service.start();
    await held.exchange.engineUp();
    await soon(async () => expect(await override()).toBe('closed'));
    await company.calls('209');
    await rings(night);
    await second.dial('*28');
    await second.next('CALL_CLOSED');
    await soon(async () => expect(await override()).toBe(null));
    await company.calls('209');
    await rings(anna);
    expect([(await first.heard()).beeps(880), (await second.heard()).beeps(880)]).toEqual([2, 1]);
    const dialled = (await held.exchange.callsOf('203')).at(-1)?.records[0];
    expect(dialled).toMatchObject({ dst_num: '*28', disposition: 'NO ANSWER', is_app: '1' });
  });
});
