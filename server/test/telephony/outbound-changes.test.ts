import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DesiredOutboundRoute } from '../../src/engine/desired-call-flow.ts';
import type { Phone } from '../real/baresip.ts';
import { soon } from '../real/soon.ts';
import { telephonyAvailable } from './exchange.ts';
import { type OutboundRig, openOutboundRig, route } from './outbound-rig.ts';

const BUSY = '486 Busy Here';
const OVERLOADED = '503 Service Unavailable';
/** A silent provider is skipped after 8 s, which leaves time for a change. */
const SILENT: Readonly<Record<string, string>> = { Q: OVERLOADED, R: BUSY };

const emergencyNumbers = ['112'];
const [overP, overQ, overR] = ['P', 'Q', 'R'].map((name, at) => route(at + 1, { providerId: `SIP-${name}` }));
const routes = [overP, overQ, overR] as [DesiredOutboundRoute, DesiredOutboundRoute, DesiredOutboundRoute];
const only = (...outboundRoutes: DesiredOutboundRoute[]) => ({
  callFlow: { outboundRoutes, emergencyNumbers },
});

describe.skipIf(!telephonyAvailable())('contract C10: a change while a provider is asked', () => {
  let rig: OutboundRig;
  let anna: Phone;

  beforeAll(async () => {
    rig = await openOutboundRig();
    await rig.serve({});
    anna = await rig.phone('201');
  });
  afterAll(() => rig?.close());

  type Served = Parameters<OutboundRig['serve']>[0];

  /** The providers that a call asks if the configuration changes at its first attempt. */
  async function askedOver(number: string, before: Served, after: Served): Promise<string> {
    await rig.serve(before);
    rig.say(SILENT);
    const { asked } = await rig.outcome(
      async () => {
        await anna.dial(number);
        await soon(() => expect(rig.asked.map(({ provider }) => provider)).toEqual(['P']));
        await rig.serve(after);
      },
      async () => (await anna.next('CALL_CLOSED')).param ?? '',
    );
    return asked.map(({ provider, number: dialled }) => `${provider} ${dialled}`).join(', ');
  }
  const all = (number: string) => `P ${number}, Q ${number}, R ${number}`;

  test('removing a provider skips no other provider, with routes and without', async () => {
    expect(await askedOver('0301234', {}, { without: ['P'] })).toBe(all('0301234'));
    expect(await askedOver('0301234', only(...routes), { ...only(...routes), without: ['P'] })).toBe(
      all('0301234'),
    );
  });

  test('23.10 an emergency call reaches all other providers, whatever changes', async () => {
    const callFlow = { emergencyNumbers };
    expect(await askedOver('112', { callFlow }, { callFlow, without: ['P'] })).toBe(all('112'));
    expect(await askedOver('112', only(routes[0]), { ...only(routes[0]), without: ['P'] })).toBe(all('112'));
  });

  test('a route inserted before the current one repeats no route', async () => {
    const first = route(9, { providerId: 'SIP-R', prepend: '9' });
    expect(await askedOver('0301234', only(...routes), only(first, ...routes))).toBe(all('0301234'));
  });

  test('after a route is deleted or moved to the end while it is asked, the next route is asked', async () => {
    expect(await askedOver('0301234', only(...routes), only(routes[1], routes[2]))).toBe(all('0301234'));
    expect(await askedOver('0301234', only(...routes), only(routes[1], routes[2], routes[0]))).toBe(
      all('0301234'),
    );
  });

  test('a route that no longer fits at its turn is skipped', async () => {
    const elsewhere = { ...routes[1], beginsWith: '7' };
    expect(await askedOver('0301234', only(...routes), only(routes[0], elsewhere, routes[2]))).toBe(
      'P 0301234, R 0301234',
    );
    expect(await askedOver('0301234', {}, { without: ['Q'] })).toBe('P 0301234, R 0301234');
  });
});
