import { describe, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { Conflict, NotFound } from '../lib/errors.ts';
import { type EngineRig, extension } from './engine.suite.ts';
import type { EngineEvent } from './events.ts';

/** Orders on calls, the same for every engine. */
export function callOrdersSuite(name: string, open: () => Promise<EngineRig>): void {
  describe(`${name}, at our order`, () => {
    test('it makes a call for an employee, hands one over, and ends both', async () => {
      const rig = await open();
      const { engine } = rig;
      const events: EngineEvent[] = [];
      engine.listen((event) => events.push(event));
      const numbers = ['201', '202', '203'];
      await engine.apply({
        extensions: numbers.map((number) => extension(number)),
        providers: [],
        refusedSources: [],
      });
      for (const number of numbers) await rig.registerPhone(number, `secret-of-${number}`);
      const active = async () =>
        (await engine.activeCalls()).map(({ linkedId, source, destination, answeredAt }) => [
          linkedId,
          `${source.number}-${destination.number}${answeredAt === null ? '' : ' talk'}`,
        ]);
      const isOver = (call: string) =>
        eventually(() => expect(events).toContainEqual({ type: 'call-ended', linkedId: call }));

      const made = await engine.originate({ from: '201', to: '202', ringSeconds: 30 });
      expect(await active()).toEqual([[made, '201-202']]);
      await expect(engine.transfer({ callId: made, to: '203', by: '' })).rejects.toThrow(Conflict);
      await engine.hangUp(made);
      await isOver(made);
      await expect(engine.hangUp(made)).rejects.toThrow(NotFound);

      await (await rig.call('201', '202')).answer();
      const [talk = ''] = await eventually(async () => {
        const [only = []] = await active();
        expect(only[1]).toBe('201-202 talk');
        return only;
      });
      await engine.transfer({ callId: talk, to: '203', by: '' });
      await eventually(async () => expect(await active()).toEqual([[talk, '201-203']]));
      await engine.hangUp(talk);
      await isOver(talk);
      expect(await active()).toEqual([]);
      await expect(engine.transfer({ callId: talk, to: '203', by: '' })).rejects.toThrow(NotFound);
      await rig.close();
    });
  });
}
