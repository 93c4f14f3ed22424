import { expect, test } from 'vitest';
import {
  chain,
  employee,
  ended,
  explain,
  menu,
  present,
  provider,
  queue,
  route,
  rung,
} from './explain.suite.ts';

test('contract 27.4, 27.5: the strategy determines when members ring', () => {
  const rings = (strategy: 'linear' | 'growing') =>
    rung(
      explain(
        {
          queues: [
            queue('600', ['201', '202', '203'], {
              strategy,
              ringSeconds: 10,
              timeoutSeconds: 25,
              onTimeout: 'busy',
            }),
          ],
        },
        { number: '600' },
      ),
    );
  expect(rings('linear')).toEqual(['201 0-10 free', '202 11-21 free', '203 22-25 free']);
  expect(rings('growing')).toEqual(['201 0-25 free', '202 10-25 free', '203 20-25 free']);
});

test('contract 27.13: a full queue without a target leads back to the routes', () => {
  const flow = {
    incomingRoutes: [route(5, '4930111', '600'), route(6, '4930111', '202')],
    queues: [queue('600', ['201'], { maxWaiting: 2, hears: 'moh' })],
  };
  expect(chain(explain(flow, { present: present({ waiting: 2 }) }))).toBe(
    'route 5, queue 600, route 6, employee 202, default 1',
  );
});

test('contract 24.1, 27.8: a periodic sound without audio does not answer the line', () => {
  const sounds = [{ id: '7', name: 'You wait', category: 'custom', file: 'x', seconds: 1 }] as const;
  const sip = (periodicSoundId: string) => {
    const queues = [queue('600', ['201'], { ...limited, periodicSeconds: 10, periodicSoundId })];
    return explain({ sounds, queues }, { number: '600' }).ends.sip;
  };
  expect([sip('7'), sip('8')]).toEqual([0, 603]);
});

test('keys that are pressed ahead count in the next menu, unless another step comes before it', () => {
  const actions = [
    { digits: '1', target: '701' },
    { digits: '2', target: '600' },
  ];
  const flow = {
    incomingRoutes: [route(5, '', '700')],
    menus: [menu('700', { actions }), menu('701', { actions: [{ digits: '3', target: '201' }] })],
    queues: [queue('600', ['202'], { timeoutSeconds: 5, onTimeout: '701' })],
  };
  const to = (...entries: string[]) => chain(explain(flow, { entries }));
  expect(to('13')).toBe('route 5, menu 700, menu 701, employee 201');
  expect(to('23')).toBe('route 5, menu 700, queue 600, menu 701');
  expect(to('2', '3')).toBe('route 5, menu 700, queue 600, menu 701, employee 201');
});

const limited = { timeoutSeconds: 20, onTimeout: 'hangup' } as const;

test('contract 28.2: a member that logged out is not rung, even without an engine', () => {
  const support = queue('600', ['201'], { ...limited, onEmpty: 'busy' });
  const queues = [{ ...support, members: support.members.map((one) => ({ ...one, state: 'out' as const })) }];
  const now = explain({ queues }, { number: '600', present: undefined });
  expect([rung(now), ended(now)]).toEqual([[], 'queue 600 BUSY 486']);
  expect(rung(explain({ queues }, { number: '600', isNow: false }))).toEqual(['201 0-20 free']);
});

test('contract 27.11, 27.12: a queue that is both full and empty counts as empty', () => {
  const flow = { queues: [queue('600', ['201'], { maxWaiting: 2, onEmpty: '202', onFull: 'busy' })] };
  const told = explain(flow, { number: '600', present: present({ away: ['201'], waiting: 2 }) });
  expect(chain(told)).toBe('did 600, queue 600, employee 202');
});

test('a member outside rings only if a provider takes the call, but its queue is not empty without one', () => {
  const mobile = employee('201', { mobile: { number: '+4917', dialString: 'Q/+4917' } });
  const ask = (members: string[], awayProviders: string[], providers = ['P', 'Q']) => {
    const queues = [queue('600', members, { ...limited, onEmpty: 'busy' })];
    const house = { extensions: [mobile], providers: providers.map((id) => provider(id)) };
    return explain({ queues }, { number: '600', present: present({ awayProviders }) }, house);
  };
  expect(rung(ask(['030123', '+4917'], []))).toEqual(['030123 0-20 free', '+4917 0-20 free']);
  expect(rung(ask(['030123', '+4917'], ['Q']))).toEqual(['030123 0-20 free']);
  for (const none of [ask(['030123'], ['P', 'Q']), ask(['030123'], [], []), ask(['4917'], ['Q'])]) {
    expect([rung(none), ended(none)]).toEqual([[], 'queue 600 TIMEOUT 603']);
    expect(none.warnings).toContain('nobody can be rung in queue 600');
  }
});

test('contract 28.2: a member outside that is in a call is not rung either', () => {
  const queues = [queue('600', ['030123'], limited)];
  const told = explain({ queues }, { number: '600', present: present({ inCall: ['030123'] }) });
  expect(rung(told)).toEqual([]);
});

test('contract 27.2: a member in its wrap-up time rings when that is over, after those that are free', () => {
  const rings = (strategy: 'ringall' | 'linear' | 'growing', timeoutSeconds: number, left = 10) =>
    rung(
      explain(
        {
          queues: [
            queue('600', ['201', '202'], { strategy, ringSeconds: 5, timeoutSeconds, onTimeout: 'busy' }),
          ],
        },
        { number: '600', present: present({ wrapUp: { 201: left } }) },
      ),
    );
  expect(rings('ringall', 120)).toEqual(['202 0-120 free', '201 10-120 wrapup']);
  expect(rings('linear', 120)).toEqual(['202 0-5 free', '201 10-15 wrapup']);
  expect(rings('linear', 120, 2)).toEqual(['202 0-5 free', '201 6-11 wrapup']);
  expect(rings('growing', 120, 2)).toEqual(['202 0-120 free', '201 5-120 wrapup']);
  expect(rings('ringall', 10)).toEqual(['202 0-10 free']);
});

test('contract 25.9: nobody stays in a menu for longer than 600 s, however long its prompt is', () => {
  const sounds = [{ id: '3', name: 'Long', category: 'custom', file: 'x', seconds: 1500 } as const];
  const flow = { sounds, menus: [menu('700', { soundId: '3', repeats: 3, onTimeout: '201' })] };
  expect(rung(explain(flow, { number: '700' }))).toEqual(['201 600-1200 Available']);
});

test('contract 25.9: keys that still wait for others when the stay is over choose nothing', () => {
  const sounds = [{ id: '3', name: 'Long', category: 'custom', file: 'x', seconds: 592 } as const];
  const actions = [
    { digits: '1', target: '201' },
    { digits: '12', target: '201' },
  ];
  const flow = { sounds, menus: [menu('700', { soundId: '3', repeats: 1, onTimeout: '202', actions })] };
  expect(chain(explain(flow, { number: '700', entries: ['t', '12'] }))).toBe(
    'did 700, menu 700, employee 201',
  );
  const late = explain(flow, { number: '700', entries: ['t', '1'] });
  expect(chain(late)).toBe('did 700, menu 700, employee 202');
  expect(late.steps[2]?.text).toContain('the caller enters t,t:');
});
