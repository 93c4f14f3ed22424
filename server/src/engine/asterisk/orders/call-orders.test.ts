import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Conflict, EngineAway, NotFound, RuleBroken } from '../../../lib/errors.ts';
import { extension } from '../../engine.suite.ts';
import type { ActiveLeg } from '../../engine.ts';
import { AmiRefused } from '../control/ami.ts';
import { renderAction } from '../control/ami-protocol.ts';
import { createCallOrders } from './call-orders.ts';

type Action = { readonly name: string; readonly fields: Readonly<Record<string, string>> };

const leg = (fields: Partial<ActiveLeg> = {}): ActiveLeg => ({
  id: 'n-1.1-1',
  linkedId: 'n-1.1',
  startedAt: 1,
  answeredAt: 2,
  source: { channel: 'PJSIP/201-0000002a', number: '201', name: '' },
  destination: { channel: 'PJSIP/202-0000002b', number: '202', name: '' },
  did: '',
  ...fields,
});

function begin({ legs = [leg()], refuses = false, beginsMs = 10_000, peers = [] as string[] } = {}) {
  const actions: Action[] = [];
  const orders = createCallOrders({
    ami: {
      async action(name, fields = {}) {
        actions.push({ name, fields });
        if (name === 'Getvar')
          return { Value: peers.length > 1 ? (peers.shift() as string) : (peers[0] ?? '') };
        if (refuses) throw new AmiRefused(name, 'no such channel');
        const { ChannelId: linkedId = '' } = fields;
        if (name === 'Originate' && beginsMs > 1)
          orders.noted({ type: 'leg-started', leg: leg({ linkedId }) });
        return {};
      },
    },
    activeCalls: async () => legs,
    served: () => ({
      extensions: [extension('201', { name: 'Anna, "the" ${first}; one' }), extension('202', { name: 'Бо' })],
      providers: [],
      refusedSources: [],
    }),
    site: { systemName: 'n' },
    clock: { now: () => 1_700_000_000_999 },
    beginsMs,
    lookMs: 1,
  });
  return { orders, actions };
}

test('an ordered call has an id of ours, and names that are encoded for the dialplan and the journal', async () => {
  const { orders, actions } = begin();
  const call = await orders.originate({ from: '201', to: '202', ringSeconds: 20 });
  expect(call).toMatch(/^n-1700000000\.\d{10}$/);
  expect(actions).toMatchObject([
    {
      name: 'Originate',
      fields: { Channel: 'Local/201@pbx-originate/n', ChannelId: call, Timeout: '30000', Async: 'true' },
    },
  ]);
  const { Variable = '', OtherChannelId = '' } = actions[0]?.fields ?? {};
  expect(OtherChannelId).not.toBe(call);
  expect(Variable.split(',')).toEqual([
    'PBX_TO=202',
    'PBX_SECONDS=20',
    `PBX_FROM_NAME==${Buffer.from('.Anna, "the" ${first}; one').toString('base64')}`,
    `PBX_TO_NAME==${Buffer.from('.Бо').toString('base64')}`,
    'PBX_SHOWN=%D0%91%D0%BE',
  ]);
});

test('an engine that refuses an order, or accepts it and begins no call, counts as away', async () => {
  const refused = begin({ refuses: true }).orders.originate({ from: '201', to: '202', ringSeconds: 20 });
  await expect(refused).rejects.toThrow('the telephony engine refused: Originate: no such channel');
  const { orders } = begin({ beginsMs: 1 });
  await expect(orders.originate({ from: '201', to: '202', ringSeconds: 20 })).rejects.toThrow(EngineAway);
});

test('a value that is not a number never reaches the control connection', async () => {
  const { orders, actions } = begin();
  const signs = fc.constantFrom(
    ...'0123456789+*#',
    '\r\n',
    '\0',
    ',',
    ';',
    '&',
    '${X}',
    '^',
    '@',
    '/',
    '%',
    ' ',
    'é',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(signs, { maxLength: 50 }).map((all) => all.join('')),
  );
  let refused = 0;
  let sent = 0;
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom('from', 'to', 'transfer'), async (given, where) => {
      const before = actions.length;
      const order =
        where === 'transfer'
          ? orders.transfer({ callId: 'n-1.1', to: given, by: '' })
          : orders.originate({ from: '201', to: '202', ringSeconds: 20, [where]: given });
      const isNumber = where === 'from' ? /^[0-9]{1,20}$/ : /^[+]?[0-9*#]{1,40}$/;
      if (isNumber.test(given) && !given.includes('\n')) {
        sent++;
        await order;
        return true;
      }
      const refusal = await order.then(
        () => undefined,
        (error) => error,
      );
      refused++;
      return refusal instanceof RuleBroken && actions.length === before;
    }),
    { numRuns: 1200 },
  );
  for (const { name, fields } of actions) expect(renderAction(name, 'x', fields).length).toBeLessThan(1024);
  console.log(`${refused} hostile numbers refused, ${sent} numbers passed on`);
  expect(refused).toBeGreaterThan(1000);
});

test('hanging up ends a talk at both ends and a ringing call at its caller, and does not find a call that is over', async () => {
  const { orders, actions } = begin();
  await orders.hangUp('n-1.1');
  expect(actions.map(({ fields }) => fields.Channel)).toEqual(['PJSIP/201-0000002a', 'PJSIP/202-0000002b']);
  const ringing = begin({ legs: [leg({ answeredAt: null }), leg({ id: 'other', linkedId: 'n-2.2' })] });
  await ringing.orders.hangUp('n-1.1');
  expect(ringing.actions.map(({ fields }) => fields.Channel)).toEqual(['PJSIP/201-0000002a']);
  await expect(ringing.orders.hangUp('n-3.3')).rejects.toThrow(NotFound);
  // The channel is gone by then.
  await begin({ refuses: true }).orders.hangUp('n-1.1');
});

test('only an employee who talks, known by his channel, can transfer a call', async () => {
  const { orders, actions } = begin();
  await orders.transfer({ callId: 'n-1.1', to: '203', by: '' });
  await orders.transfer({ callId: 'n-1.1', to: '203', by: '201' });
  expect(actions.map(({ name, fields }) => [name, fields.Channel, fields.Context, fields.Exten])).toEqual([
    ['BlindTransfer', 'PJSIP/202-0000002b', 'from-employee', '203'],
    ['BlindTransfer', 'PJSIP/201-0000002a', 'from-employee', '203'],
  ]);
  const outside = { channel: 'PJSIP/SIP-TRUNK-1-0000002c', number: '201', name: '' };
  const stranger = begin({ legs: [leg({ source: outside, destination: outside })] });
  await expect(stranger.orders.transfer({ callId: 'n-1.1', to: '203', by: '201' })).rejects.toThrow(Conflict);
  await expect(stranger.orders.transfer({ callId: 'n-1.1', to: '203', by: '' })).rejects.toThrow(Conflict);
  expect(stranger.actions).toEqual([]);
  const late = begin({ refuses: true }).orders.transfer({ callId: 'n-1.1', to: '203', by: '' });
  await expect(late).rejects.toThrow('cannot be handed over now');
});

test('a member of a queue hands over the caller, not the inner channel between them', async () => {
  const inner = 'Local/202@pbx-member-00000012;2';
  const talk = leg({ queue: '600' });
  const order = { callId: 'n-1.1', to: '203', by: '' };
  const { orders, actions } = begin({ legs: [talk], peers: [inner, inner, 'PJSIP/201-0000002a'] });
  await orders.transfer(order);
  expect(actions.map(({ name }) => name)).toEqual(['Getvar', 'Getvar', 'Getvar', 'BlindTransfer']);
  const stuck = begin({ legs: [talk], peers: [inner] });
  await expect(stuck.orders.transfer(order)).rejects.toThrow('cannot be handed over now');
  expect(stuck.actions.some(({ name }) => name === 'BlindTransfer')).toBe(false);
  // The inner channel to an outside member exists for the whole talk.
  const destination = { channel: 'PJSIP/SIP-TRUNK-1-0000002c', number: '0301', name: '' };
  const outside = begin({ legs: [leg({ queue: '600', destination })], peers: [inner] });
  await outside.orders.transfer(order);
  expect(outside.actions.map(({ name }) => name)).toEqual(['BlindTransfer']);
});
