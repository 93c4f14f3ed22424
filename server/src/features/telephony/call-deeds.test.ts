import { expect, test } from 'vitest';
import { activeLeg } from '../../../test/acceptance/active-leg.ts';
import { extension } from '../../engine/engine.suite.ts';
import { createEngineView } from '../../engine/engine-view.ts';
import { createFakeEngine } from '../../engine/fake-engine.ts';
import { Conflict, EngineAway } from '../../lib/errors.ts';
import { createCallDeeds } from './call-deeds.ts';
import type { Employee } from './employees/employee.ts';

const employees = { settle: async () => {}, byNumber: (number: string) => ({ number }) as Employee };
const order = { from: '201', to: '202', ringSeconds: 30 };

test('a node without an engine refuses every call action and says that it has none', async () => {
  const deeds = createCallDeeds({
    engine: createFakeEngine(),
    view: undefined,
    employees,
    emergencyNumbers: [],
  });
  const orders = [
    deeds.originate(order),
    deeds.hangUp('n-1.1'),
    deeds.transfer({ callId: 'n-1.1', to: '202', by: '' }),
  ];
  for (const refused of orders) {
    await expect(refused).rejects.toThrow(EngineAway);
    await expect(refused).rejects.toThrow('this node has no telephony engine');
  }
  expect(deeds.isUnderWay('n-1.1')).toBe(false);
});

test('a phone that has just registered is looked up before the call is refused for lack of one', async () => {
  const engine = createFakeEngine();
  await engine.apply({ extensions: [extension('201')], providers: [], refusedSources: [] });
  // No event reports it.
  const view = createEngineView({
    engine: {
      ...engine,
      listen: (listener) => engine.listen((event) => event.type === 'engine-up' && listener(event)),
    },
    clock: { now: () => 1 },
    onError() {},
  });
  await view.refresh();
  const deeds = createCallDeeds({ engine, view, employees, emergencyNumbers: [] });
  await expect(deeds.originate(order)).rejects.toThrow('no phone of 201 is registered');
  engine.register('201');
  expect(view.current().extensions.get('201')?.devices).toEqual([]);
  expect(await deeds.originate(order)).toMatch(/^made-/);
  await view.close();
});

const provider = (number: string) => ({ channel: 'PJSIP/SIP-1-00000001', number, name: '' });
const phone = (number: string) => ({ channel: `PJSIP/${number}`, number, name: '' });
const talk = { answeredAt: 1, linkedId: 'n-1.1' };

async function open() {
  const engine = createFakeEngine();
  const view = createEngineView({ engine, clock: { now: () => 1 }, onError() {} });
  await view.refresh();
  const deeds = createCallDeeds({ engine, view, employees, emergencyNumbers: ['112'] });
  const orders = [() => deeds.hangUp('n-1.1'), () => deeds.transfer({ callId: 'n-1.1', to: '203', by: '' })];
  return {
    engine,
    deeds,
    async expectLeftAlone() {
      const before = await engine.activeCalls();
      for (const order of orders) {
        const refused = order();
        await expect(refused).rejects.toThrow(Conflict);
        await expect(refused).rejects.toThrow('this is a call with an emergency number');
      }
      expect(await engine.activeCalls()).toEqual(before);
    },
    close: () => view.close(),
  };
}

test('an emergency call that was handed over is left alone until it ends, whatever numbers it shows', async () => {
  const { engine, deeds, expectLeftAlone, close } = await open();
  const call = { linkedId: 'n-1.1', callerNumber: '201', callerName: '', number: '112', providerId: 'P' };
  engine.callForHelp(call);
  engine.startLeg(activeLeg('a', { ...talk, source: phone('201'), destination: provider('112') }));
  await expectLeftAlone();
  engine.endLeg('a', { endedAt: 2 });
  engine.startLeg(activeLeg('b', { ...talk, source: provider('+4930112'), destination: phone('202') }));
  await expectLeftAlone();
  engine.endLeg('b', { endedAt: 3 });
  engine.endCall('n-1.1');
  // Another call, later.
  engine.startLeg(activeLeg('c', { ...talk, source: phone('201'), destination: phone('202') }));
  await deeds.hangUp('n-1.1');
  expect(await engine.activeCalls()).toEqual([]);
  await close();
});

test.each([
  ['called', { source: phone('201'), destination: provider('112') }],
  ['calls', { source: provider('112'), destination: phone('202') }],
])(
  'a call is left alone if somebody with an emergency number %s, even if nobody saw it dialled',
  async (_, parties) => {
    const { engine, expectLeftAlone, close } = await open();
    engine.startLeg(activeLeg('a', { ...talk, ...parties }));
    await expectLeftAlone();
    await close();
  },
);

test('the current state of the call decides, not the last reported one', async () => {
  const { engine, expectLeftAlone, close } = await open();
  engine.startLeg(activeLeg('a', { ...talk, source: phone('201'), destination: phone('202') }));
  const told = await engine.activeCalls();
  engine.activeCalls = async () => told.map((leg) => ({ ...leg, isEmergency: true }));
  await expectLeftAlone();
  await close();
});
