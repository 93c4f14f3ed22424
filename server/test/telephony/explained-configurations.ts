import fc from 'fast-check';
import { queue } from '../../src/engine/call-flow/explain.suite.ts';
import type {
  DesiredCallFlow,
  DesiredIncomingRoute,
  DesiredMenu,
  DesiredOffWorkRule,
  DesiredOutboundRoute,
  DesiredQueue,
  HoursOverride,
} from '../../src/engine/desired-call-flow.ts';
import type { DesiredExtension } from '../../src/engine/desired-state.ts';
import { extension } from '../../src/engine/engine.suite.ts';
import { incomingRoute } from './flow-rig.ts';

/**
 * Small random exchanges. Many are served at once by giving each its own numbers and callers: `e1` stands for its
 * first employee, `m1` for its first menu, `q1` for its first queue, `d1` for a number it is called by. All of them
 * share two full queues: `full`, and `led`, which has a target for callers who find it full.
 */
export const PROVIDER = 'SIP-A';
/** A provider that should register with us, but does not. */
export const AWAY = 'SIP-B';
export const FULL = ['699', '698'] as const;

const EMPLOYEES = ['e1', 'e2', 'e3'] as const;
const MENUS = ['m1', 'm2'] as const;
const QUEUES = ['q1', 'q2'] as const;
const DIDS = ['d1', 'd2'] as const;
const KEYS = ['1', '2', '*', '#'] as const;
/** Targets whose outbound calls end at once: the first employee's mobile, with and without plus, and dead numbers. */
const ENDS_AT_ONCE = ['mobile', 'plus', 'away', 'nowhere'] as const;

const place = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<string>(...EMPLOYEES, ...MENUS, ...QUEUES) },
  fc.constantFrom<string>(...ENDS_AT_ONCE, 'full', 'led'),
);
const word = fc.constantFrom('hangup', 'hangup', 'voicemail', 'did2user', 'busy');
const target = fc.oneof({ weight: 5, arbitrary: place }, word);
const forward = fc.oneof({ weight: 2, arbitrary: fc.constant('') }, target);
const employee = fc.record({ onUnavailable: forward, onNoAnswer: forward, isRung: fc.boolean() });
const menu = fc.record({
  onTimeout: target,
  onInvalid: target,
  repeats: fc.constantFrom(0, 0, 1),
  isDirect: fc.boolean(),
  actions: fc.uniqueArray(fc.record({ digits: fc.constantFrom(...KEYS), target }), {
    selector: ({ digits }) => digits,
    maxLength: 3,
  }),
});
const waiting = fc.record({
  members: fc.oneof(
    { weight: 2, arbitrary: fc.subarray<string>([...EMPLOYEES]) },
    fc.subarray<string>(['e1', 'mobile', 'away', 'nowhere', 'outside']),
  ),
  hears: fc.constantFrom('ringing' as const, 'moh' as const),
  seconds: fc.constantFrom(1, 2),
  onTimeout: target,
  onEmpty: fc.oneof(fc.constant(''), target),
});
const route = fc.record({
  number: fc.constantFrom('d1', 'd1', 'd1', 'd2', 'd2', '', 'ending', 'pattern'),
  target: fc.oneof({ weight: 8, arbitrary: target }, fc.constant('outside')),
  isSpoken: fc.integer({ min: 0, max: 5 }).map((drawn) => drawn === 0),
  seconds: fc.constantFrom(0, 20),
  priority: fc.integer({ min: 0, max: 3 }),
  isForCallers: fc.boolean(),
});
const rule = fc.record({
  target: fc.oneof({ weight: 3, arbitrary: target }, fc.constant('')),
  route: fc.nat(1),
  override: fc.constantFrom(undefined, undefined, 'open' as const, 'closed' as const),
});
const call = fc.record({
  number: fc.constantFrom<string>(...DIDS, 'e1', 'm1', 'q1', 'nobody'),
  /** One key per menu. */
  keys: fc.array(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 3 }).map((pressed) => pressed.join('')),
});

const drawn = fc.record({
  employees: fc.tuple(employee, employee, employee),
  menus: fc.tuple(menu, menu),
  queues: fc.tuple(waiting, waiting),
  routes: fc.array(route, { maxLength: 4 }),
  rules: fc.array(rule, { maxLength: 1 }),
  calls: fc.tuple(call, call, call),
  byDefault: target,
});
export const configuration = drawn;
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

export interface Configuration {
  readonly extensions: readonly DesiredExtension[];
  readonly calls: readonly {
    readonly number: string;
    readonly caller: string;
    readonly keys: string;
  }[];
}

/** Combines all parts into one exchange. They share the default route, which leads to a target of the first part. */
export function together(
  parts: readonly Drawn[],
  file: string,
): Configuration & { readonly callFlow: Partial<DesiredCallFlow> } {
  const made = parts.map((part, at) => exchange(part, at));
  return {
    extensions: made.flatMap(({ extensions }) => extensions),
    calls: made.flatMap(({ calls }) => calls),
    callFlow: {
      menus: made.flatMap(({ menus }) => menus),
      queues: [
        ...made.flatMap(({ queues }) => queues),
        fullQueue(FULL[0], ''),
        fullQueue(FULL[1], numbers(0)(parts[0]?.byDefault ?? '')),
      ],
      incomingRoutes: made.flatMap(({ routes }) => routes),
      offWorkRules: made.flatMap(({ rules }) => rules),
      overrides: made.flatMap(({ overrides }) => overrides),
      outboundRoutes: [out(1, '0301', PROVIDER), out(2, '0302', AWAY)],
      sounds: [{ id: '7', name: 'Hello', category: 'custom', file, seconds: 1 }],
      defaultRoute: {
        id: 1,
        name: '',
        target: numbers(0)(parts[0]?.byDefault ?? ''),
        timeoutSeconds: 0,
        soundId: '',
        didToExtension: true,
      },
    },
  };
}

/** Replaces a placeholder by the number in one exchange; keywords stay unchanged. */
const numbers =
  (at: number) =>
  (name: string): string => {
    const kind = { e: '2', m: '7', q: '6', d: '4930' }[name.charAt(0)] ?? '';
    if (/^[emqd]\d$/.test(name)) return `${kind}${String(at + 10)}${name.charAt(1)}`;
    const others: Readonly<Record<string, string>> = {
      nobody: `9${at + 10}9`,
      outside: `0301${at + 10}`,
      away: `0302${at + 10}`,
      nowhere: `0303${at + 10}`,
      plus: `+4917${at + 10}`,
      mobile: `4917${at + 10}`,
      ending: `30${at + 10}1`,
      pattern: `_4930${at + 10}X`,
      full: FULL[0],
      led: FULL[1],
    };
    return others[name] ?? name;
  };

/** An outbound route for numbers with this prefix. */
export const out = (id: number, beginsWith: string, providerId: string): DesiredOutboundRoute => ({
  id,
  name: '',
  providerId,
  beginsWith,
  restDigits: -1,
  trim: 0,
  prepend: '',
  callerId: '',
  forwardedCallerId: 'caller',
  callClass: 'national',
  isDisabled: false,
});

/** Full once somebody waits in it. */
const fullQueue = (number: string, onFull: string): DesiredQueue =>
  queue(number, [], { id: `QUEUE-${number}`, hears: 'moh', maxWaiting: 1, onFull });

function exchange(part: Drawn, at: number) {
  const number = numbers(at);
  const hasKeys = at % 3 === 0;
  const caller = (n: number) => `0151${at + 10}${n}`;
  const routes = part.routes.map((one, place): DesiredIncomingRoute => {
    const isForCallers = one.isForCallers || one.number === '';
    return incomingRoute(at * 10 + place + 2, number(one.number), number(one.target), {
      priority: one.priority,
      match: one.number === 'ending' ? 'ends' : 'exact',
      // An outside number rings nowhere and takes the route's whole timeout, so it is short.
      timeoutSeconds: one.target === 'outside' ? 1 : one.seconds,
      soundId: one.isSpoken ? '7' : '',
      callers: isForCallers ? [one.number === '' ? `0151${at + 10}*` : caller(0)] : [],
    });
  });
  return {
    routes,
    extensions: part.employees.map(({ onUnavailable, onNoAnswer, isRung }, place) =>
      extension(number(EMPLOYEES[place] ?? ''), {
        ringSeconds: isRung ? 10 : 0,
        ...(place === 0 && {
          mobile: { number: number('plus'), dialString: `${AWAY}/${number('mobile')}` },
        }),
        forward: { onNoAnswer: number(onNoAnswer), onBusy: '', onUnavailable: number(onUnavailable) },
      }),
    ),
    menus: part.menus.map(
      (one, place): DesiredMenu => ({
        id: `IVR-${at}-${place}`,
        number: number(MENUS[place] ?? ''),
        name: '',
        soundId: '',
        // Long enough for keys to arrive in time on a busy machine; short where none is pressed.
        timeoutSeconds: hasKeys ? 5 : 1,
        repeats: hasKeys ? 0 : one.repeats,
        onTimeout: number(one.onTimeout),
        onInvalid: number(one.onInvalid),
        timeoutSoundId: '',
        invalidSoundId: '',
        isDirect: one.isDirect,
        actions: one.actions.map((action) => ({ digits: action.digits, target: number(action.target) })),
      }),
    ),
    queues: part.queues.map((one, place) =>
      queue(number(QUEUES[place] ?? ''), one.members.map(number), {
        id: `QUEUE-${at}-${place}`,
        hears: one.hears,
        timeoutSeconds: one.seconds,
        onTimeout: number(one.onTimeout),
        onEmpty: number(one.onEmpty),
      }),
    ),
    rules: part.rules.map(
      (one): DesiredOffWorkRule => ({
        id: at + 1,
        name: '',
        timezone: 'UTC',
        when: {
          kind: 'timeframe',
          dateFrom: '',
          dateTo: '',
          weekdayFrom: 1,
          weekdayTo: 7,
          timeFrom: '',
          timeTo: '',
        },
        target: number(one.target),
        soundId: one.target === '' ? '7' : '',
        routeIds: [at * 10 + one.route + 2],
      }),
    ),
    overrides: part.rules.flatMap(({ override, route: place }): HoursOverride[] =>
      override ? [{ mode: override, until: 0, ruleId: at + 1, routeIds: [at * 10 + place + 2] }] : [],
    ),
    calls: part.calls.map(({ number: dialled, keys }, n) => ({
      number: number(dialled),
      caller: caller(n),
      keys: hasKeys ? keys : '',
    })),
  };
}
