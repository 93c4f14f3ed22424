import { expect, test } from 'vitest';
import type { EngineEvent } from '../../events.ts';
import { createLegs } from './legs.ts';
import type { LegsState } from './legs-state.ts';

interface Said {
  readonly call: string;
  readonly fields?: readonly string[];
  readonly details?: Readonly<Record<string, unknown>>;
}

function begin(state?: LegsState) {
  const events: EngineEvent[] = [];
  let legs = createLegs({ tell: (event) => events.push(event), recordingClosed() {}, state });
  const line = (type: string, channelId: string, { call, fields = [], details = {} }: Said) =>
    legs.take({
      type,
      at: 1000,
      channelId,
      linkedId: call,
      channel: `PJSIP/${channelId}`,
      fields,
      details,
      isDamaged: false,
    });
  return {
    line,
    /** `from` calls `to`, who answers; both by the ids of their channels. */
    talk(call: string, [from, number]: readonly string[], [to, called]: readonly string[]) {
      const legId = `${from}-1`;
      line('pbx-leg', String(from), {
        call,
        fields: [legId, String(number), '', String(called), '', '', '', '', '', 'id'],
      });
      line('pbx-device', String(to), { call, fields: [legId, 'id'] });
      line('ANSWER', String(to), { call });
    },
    dialHelp: (call: string, channelId: string) =>
      line('pbx-emergency', channelId, { call, fields: ['201', 'Ann', '112', 'P'] }),
    /** Both calls of one phone become one. */
    connect(call: string, by: string, one: string, other: string) {
      const details = { transferee_channel_uniqueid: one, transfer_target_channel_uniqueid: other };
      line('ATTENDEDTRANSFER', by, { call, details: { ...details, channel2_uniqueid: by } });
    },
    over(call: string, ...channelIds: string[]) {
      for (const id of channelIds) line('HANGUP', id, { call });
      line('LINKEDID_END', channelIds.at(-1) ?? '', { call });
    },
    restart() {
      const saved = JSON.parse(JSON.stringify(legs.state())) as LegsState;
      legs = createLegs({ tell: (event) => events.push(event), recordingClosed() {}, state: saved });
    },
    open: () =>
      legs
        .open()
        .map((leg) => [
          leg.linkedId,
          `${leg.source.number}-${leg.destination.number}`,
          leg.isEmergency ?? false,
        ]),
    told: (type: EngineEvent['type']) =>
      events.flatMap((event) =>
        'leg' in event && event.type === type ? (event.leg.isEmergency ?? false) : [],
      ),
    left: () => Object.values(legs.state()).flat(),
  };
}

test('all legs of a call in which an emergency number is dialled are marked, and no other legs are', () => {
  const { dialHelp, talk, over, open, told, left } = begin();
  talk('n-1.0', ['n-1.0', '203'], ['n-1.1', '204']);
  dialHelp('n-2.0', 'n-2.0');
  talk('n-2.0', ['n-2.0', '201'], ['n-2.1', '112']);
  expect(open()).toEqual([
    ['n-1.0', '203-204', false],
    ['n-2.0', '201-112', true],
  ]);
  over('n-2.0', 'n-2.0', 'n-2.1');
  over('n-1.0', 'n-1.0', 'n-1.1');
  expect([told('leg-started'), told('leg-changed'), told('leg-ended')]).toEqual([
    [false, true],
    [false, true],
    [true, false],
  ]);
  expect(left()).toEqual([]);
});

test('an emergency call stays one after transfers, whatever number is shown then, and after a restart of the service', () => {
  const { dialHelp, talk, connect, line, over, open, restart, left } = begin();
  dialHelp('n-1.0', 'n-1.0');
  talk('n-1.0', ['n-1.0', '201'], ['n-1.1', '112']);
  talk('n-2.0', ['n-2.0', '201'], ['n-2.1', '202']);
  connect('n-2.0', 'n-2.0', 'n-1.1', 'n-2.1');
  over('n-2.0', 'n-2.0');
  line('HANGUP', 'n-1.0', { call: 'n-1.0' });
  expect(open()).toEqual([['n-1.0', '112-202', true]]);
  restart();
  expect(open()).toEqual([['n-1.0', '112-202', true]]);
  // A blind transfer: the other side becomes the caller, with the number that its provider shows.
  line('BRIDGE_EXIT', 'n-1.1', { call: 'n-1.0' });
  line('HANGUP', 'n-2.1', { call: 'n-1.0' });
  talk('n-1.0', ['n-1.1', '+4930112'], ['n-1.7', '203']);
  expect(open()).toEqual([['n-1.0', '+4930112-203', true]]);
  over('n-1.0', 'n-1.1', 'n-1.7');
  expect(left()).toEqual([]);
});

test('an older call that is joined with an emergency call is one from then on', () => {
  const { dialHelp, talk, connect, over, open, left } = begin();
  talk('n-1.0', ['n-1.0', '0170'], ['n-1.1', '201']);
  dialHelp('n-2.0', 'n-2.0');
  talk('n-2.0', ['n-2.0', '201'], ['n-2.1', '112']);
  expect(open()).toEqual([
    ['n-1.0', '0170-201', false],
    ['n-2.0', '201-112', true],
  ]);
  connect('n-2.0', 'n-2.0', 'n-2.1', 'n-1.0');
  over('n-2.0', 'n-2.0');
  expect(open()).toEqual([['n-1.0', '0170-112', true]]);
  // No line since then was about the channel to 112: it is known under the id of the call that it is in now.
  talk('n-3.0', ['n-3.0', '0170'], ['n-3.1', '205']);
  connect('n-3.0', 'n-3.0', 'n-2.1', 'n-3.1');
  over('n-3.0', 'n-3.0');
  expect(open()).toEqual([['n-1.0', '112-205', true]]);
  over('n-1.0', 'n-1.0', 'n-1.1', 'n-2.1', 'n-3.1');
  expect(left()).toEqual([]);
});

test('legs that exist when the emergency number is dialled are reported again', () => {
  const { dialHelp, talk, told, open } = begin();
  talk('n-1.0', ['n-1.0', '0170'], ['n-1.1', '201']);
  dialHelp('n-1.0', 'n-1.9');
  expect(open()).toEqual([['n-1.0', '0170-201', true]]);
  expect(told('leg-changed')).toEqual([false, true]);
});
