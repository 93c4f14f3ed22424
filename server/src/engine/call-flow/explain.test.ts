import { describe, expect, test } from 'vitest';
import { PLAIN_CALL_FLOW } from '../desired-call-flow.ts';
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
  SATURDAY,
  weekend,
} from './explain.suite.ts';

const { defaultRoute } = PLAIN_CALL_FLOW;
const ask = (
  flow: Parameters<typeof explain>[0],
  ...more: [Parameters<typeof explain>[1]?, Parameters<typeof explain>[2]?]
) => {
  const explained = explain(flow, ...more);
  return [chain(explained), ended(explained)];
};

test('contract 28: the example is explained as written', () => {
  const support = queue('600', ['201', '202'], { timeoutSeconds: 30, onTimeout: 'hangup' });
  const told = explain(
    {
      incomingRoutes: [route(5, '4930111', '203', { name: 'Main' })],
      offWorkRules: [weekend()],
      queues: [support],
    },
    { present: present({ away: ['202'] }) },
  );
  expect(told.steps.map(({ n, kind, id, name }) => [n, kind, id, name])).toEqual([
    [1, 'provider', 'P', ''],
    [2, 'route', '5', 'Main'],
    [3, 'hours', '1', 'Weekend'],
    [4, 'queue', '600', ''],
    [5, 'end', '', ''],
  ]);
  expect(told.steps[1]!.text).toBe('Route "Main" (5) fits, not entered.');
  expect(told.steps[2]!.text).toBe(
    'The line is closed until 2026-05-04 00:00:00, by rule "Weekend" (1). Not reached: route "Main" (5), 1.',
  );
  expect(told.rings).toEqual([{ number: '201', name: '', from: 0, to: 30, state: 'free', via: 4 }]);
  expect(told.ends).toEqual({ by: 'queue 600', dialstatus: 'TIMEOUT', sip: 603 });
  expect(told.steps.some(({ assumed }) => assumed)).toBe(false);
});

test.each([
  ['+491701', '491701'],
  ['491701', '+491701'],
])('contract 20.2: the mobile %s is reached by its dial string as %s too', (number, target) => {
  const extensions = [employee('201', { name: 'Anna', mobile: { number, dialString: 'P/0170' } })];
  const told = explain({ incomingRoutes: [route(5, '4930111', target)] }, {}, { extensions });
  expect(chain(told)).toBe(`route 5, mobile ${target}, default 1`);
  expect(told.steps[2]?.text).toContain(`"Anna" (${target}) is dialled as 0170 over P`);
});

describe('contract 28: the table', () => {
  test('without routes an internal number is rung, and any other number has no route', () => {
    expect(ask({}, { number: '201' })).toEqual(['did 201, employee 201', 'employee 201 NOANSWER 480']);
    expect(ask({}, { number: '999' })).toEqual(['default 1', 'default 1 NOROUTE 404']);
  });

  test('a menu is left by a key, or by its fall-through', () => {
    const flow = {
      incomingRoutes: [route(5, '4930111', '700')],
      menus: [
        menu('700', { actions: [{ digits: '1', target: '201' }], onTimeout: 'busy', onInvalid: 'busy' }),
      ],
    };
    expect(ask(flow, { entries: ['1'] })).toEqual([
      'route 5, menu 700, employee 201',
      'employee 201 NOANSWER 0',
    ]);
    expect(ask(flow)).toEqual(['route 5, menu 700', 'menu 700 BUSY 0']);
    expect(ask(flow, { entries: ['9'] })).toEqual(['route 5, menu 700', 'menu 700 BUSY 0']);
  });

  test('a loop is a step, and a warning names it', () => {
    const told = explain({
      incomingRoutes: [route(5, '4930111', '700')],
      menus: [menu('700', { onTimeout: '600' })],
      queues: [queue('600', [], { onEmpty: '700' })],
    });
    expect(chain(told)).toBe('route 5, menu 700, queue 600, loop 700');
    expect(ended(told)).toBe('queue 600 EMPTY 0');
    expect(told.warnings).toContain('the call runs in a loop: 700, 600, 700');
  });

  test('a rule for other routes is no step, and a warning says so', () => {
    const flow = { incomingRoutes: [route(5, '4930111', '201')], offWorkRules: [weekend({ routeIds: [7] })] };
    const told = explain(flow, { isNow: false });
    expect(chain(told)).toBe('route 5, employee 201, default 1');
    expect(told.warnings).toContain('rule "Weekend" (1) does not cover route 5');
  });
});

describe('contract 28.1: nobody answers', () => {
  test('a route is left for the next when its time is over, which includes the time of forwards', () => {
    const told = explain(
      {
        incomingRoutes: [
          route(5, '4930111', '201', { timeoutSeconds: 30 }),
          route(6, '4930111', '203', { timeoutSeconds: 20 }),
        ],
        defaultRoute: { ...defaultRoute, target: 'busy' },
      },
      {},
      {
        extensions: [
          employee('201', { ringSeconds: 20, forward: { onNoAnswer: '202', onBusy: '', onUnavailable: '' } }),
          employee('202'),
          employee('203'),
        ],
      },
    );
    expect(chain(told)).toBe(
      'route 5, employee 201, forward 201, employee 202, route 6, employee 203, default 1',
    );
    expect(rung(told)).toEqual(['201 0-20 Available', '202 20-30 Available', '203 30-50 Available']);
    expect(ended(told)).toBe('employee 203 BUSY 486');
    expect(told.steps.map(({ after }) => after)).toEqual([0, 0, 0, 20, 20, 30, 30, 50, 50]);
  });

  test('an absent employee is left at once for the target of his forward', () => {
    const absent = employee('201', { forward: { onNoAnswer: '203', onBusy: '', onUnavailable: '202' } });
    const house = { extensions: [absent, employee('202'), employee('203')] };
    expect(ask({}, { number: '201', present: present({ away: ['201', '202'] }) }, house)).toEqual([
      'did 201, employee 201, forward 201, employee 202',
      'employee 202 CHANUNAVAIL 480',
    ]);
  });

  test('a message answers the line, and the time of the route begins after it', () => {
    const sounds = [{ id: '3', name: 'Hello', category: 'custom', file: 'x', seconds: 8 } as const];
    const told = explain({
      sounds,
      incomingRoutes: [route(5, '4930111', '201', { soundId: '3', timeoutSeconds: 10 })],
    });
    expect(chain(told)).toBe('route 5, message 3, employee 201, default 1');
    expect(rung(told)).toEqual(['201 8-18 Available']);
    expect(ended(told)).toBe('employee 201 NOANSWER 0');
  });

  test('each target word has its own end of the call', () => {
    const to = (target: string, number = '4930111') =>
      ask({ incomingRoutes: [route(5, '', target)] }, { number });
    expect(to('hangup')).toEqual(['route 5', 'route 5 HANGUP 603']);
    expect(to('voicemail')).toEqual(['route 5', 'route 5 HANGUP 603']);
    expect(to('busy')).toEqual(['route 5', 'route 5 BUSY 486']);
    expect(to('did2user', '4930202')).toEqual([
      'route 5, did 4930202, employee 202, default 1',
      'employee 202 NOANSWER 480',
    ]);
    expect(to('did2user', '4930999')).toEqual(['route 5, did 4930999, default 1', 'default 1 NOROUTE 404']);
  });

  test('numbers outside ring over the first provider that is available', () => {
    const house = {
      extensions: [employee('201', { mobile: { number: '+4917', dialString: 'Q/+4917' } })],
      providers: [provider('P'), provider('Q')],
    };
    const to = (target: string, awayProviders: string[] = []) =>
      ask({ incomingRoutes: [route(5, '', target)] }, { present: present({ awayProviders }) }, house);
    expect(to('030123')).toEqual(['route 5, outside 030123, default 1', 'outside 030123 NOANSWER 480']);
    expect(to('030123', ['P'])).toEqual([
      'route 5, outside 030123, outside 030123, default 1',
      'outside 030123 NOANSWER 480',
    ]);
    expect(to('+4917', ['Q'])).toEqual(['route 5, mobile +4917, default 1', 'mobile +4917 CHANUNAVAIL 404']);
    expect(ask({ incomingRoutes: [route(5, '', '999')] }, {}, { providers: [] })).toEqual([
      'route 5, outside 999, default 1',
      'outside 999 NOROUTE 404',
    ]);
  });
});

describe('contract 28.2: the present state', () => {
  const flow = {
    offWorkRules: [weekend({ target: '201' })],
    overrides: [{ mode: 'open', until: SATURDAY + 3_600_000, ruleId: 0, routeIds: [] } as const],
  };

  test('an override counts now, but not for a given moment', () => {
    const now = explain(flow, { number: '202', present: present() });
    expect(chain(now)).toBe('override , did 202, employee 202');
    expect(now.warnings).toContain(
      'opened by an override until 2026-05-02 11:00:00, though rule "Weekend" (1) closes the line',
    );
    expect(chain(explain(flow, { number: '202', isNow: false }))).toBe('default 1, hours 1, employee 201');
  });

  test('a line that is closed by an override has its own step', () => {
    const closed = { ...flow, overrides: [{ mode: 'closed', until: 0, ruleId: 1, routeIds: [] } as const] };
    const told = explain(closed, { present: present(), at: SATURDAY - 86_400_000 });
    expect(chain(told)).toBe('default 1, override 1, employee 201');
    expect(told.warnings).toContain('closed by an override');
  });

  test('members that are out, absent or in a call are not rung; for a given moment all are', () => {
    const members = ['201', '202', '203'];
    const support = queue('600', members, { timeoutSeconds: 20, onTimeout: 'hangup' });
    const out = support.members.map((one) =>
      one.number === '203' ? { ...one, state: 'out' as const } : one,
    );
    const queues = { queues: [{ ...support, members: out }] };
    const state = present({ away: ['201'], inCall: ['202'] });
    const told = explain(queues, { number: '600', present: state });
    expect(rung(told)).toEqual([]);
    expect(told.warnings).toContain('nobody can be rung in queue 600');
    const later = explain(queues, { number: '600', isNow: false });
    expect(rung(later)).toEqual(members.map((number) => `${number} 0-20 free`));
    expect(later.steps.every(({ assumed }) => assumed)).toBe(true);
  });
});

test('contract 28.5: an explanation has at most 100 steps, and at that limit the last but one is a loop', () => {
  const again = menu('700', { actions: [{ digits: '1', target: '700' }] });
  const told = explain(
    { incomingRoutes: [route(5, '', '700')], menus: [again] },
    { entries: Array(120).fill('1') },
  );
  expect(told.steps.length).toBeLessThanOrEqual(100);
  expect(told.steps.at(-2)!.kind).toBe('loop');
});
