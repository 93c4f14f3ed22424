import { afterAll, describe, expect, test } from 'vitest';
import { callOrdersSuite } from '../../src/engine/call-orders.suite.ts';
import { engineSuite, extension } from '../../src/engine/engine.suite.ts';
import { soon } from '../real/soon.ts';
import { createAsteriskRigs } from './engine-rig.ts';
import { telephonyAvailable } from './exchange.ts';

describe.skipIf(!telephonyAvailable())('behind the port', () => {
  let rigs: ReturnType<typeof createAsteriskRigs> | undefined;
  const open = async () => {
    rigs ??= createAsteriskRigs();
    return (await rigs).open();
  };
  afterAll(async () => (await rigs)?.close());

  test('a party that becomes banned is hung up on, caller or callee; other calls go on', async () => {
    const rig = await open();
    const { engine } = rig;
    const numbers = ['201', '202', '203', '204', '205', '206'];
    const state = { extensions: numbers.map((number) => extension(number)), providers: [] };
    await engine.apply({ ...state, refusedSources: [] });
    for (const number of numbers) await rig.registerPhone(number, `secret-of-${number}`);
    const addressOf = async (number: string) => {
      const status = (await engine.extensionStatuses()).find((known) => known.number === number);
      return status?.devices[0]?.address ?? '';
    };
    const refusedSources = [await addressOf('201'), await addressOf('204')];
    for (const [from, to] of [
      ['201', '202'],
      ['203', '204'],
      ['205', '206'],
    ] as const)
      await (await rig.call(from, to)).answer();
    await soon(async () => expect(await engine.activeCalls()).toHaveLength(3));
    await engine.apply({ ...state, refusedSources });
    await soon(async () =>
      expect((await engine.activeCalls()).map(({ source }) => source.number)).toEqual(['205']),
    );
    await engine.apply({ ...state, refusedSources: [] });
    await rig.close();
  });

  callOrdersSuite('Asterisk', open);
  // Its last test closes the engine.
  engineSuite('Asterisk', open);
});
