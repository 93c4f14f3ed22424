import type {
  EmployeeFullItem,
  IncomingRoute,
  Menu,
  MenuListItem,
  OffWorkTimeItem,
  Queue,
  QueueListItem,
} from '@pbxcore/client';
import { expect, test } from 'vitest';
import { flowOf } from './flow-of-records.ts';

const words = {
  t: (key: string, options?: Record<string, unknown>) =>
    [key.replace('picture.', ''), ...Object.values(options ?? {})].join(' '),
  target: (target: string) => target,
};

const route = (id: string, more: Partial<IncomingRoute>) =>
  ({
    id,
    number: '',
    rulename: '',
    extension: '',
    extension_represent: '',
    disabled: false,
    ...more,
  }) as IncomingRoute;
const rule = (id: string, more: Partial<OffWorkTimeItem>) =>
  ({
    id,
    description: '',
    disabled: false,
    allowRestriction: false,
    incomingRouteIds: [],
    ...more,
  }) as OffWorkTimeItem;
const person = (number: string, more: Partial<EmployeeFullItem>) =>
  [
    number,
    {
      number,
      fwd_forwarding: '',
      fwd_forwardingonbusy: '',
      fwd_forwardingonunavailable: '',
      ...more,
    } as EmployeeFullItem,
  ] as const;

const records = {
  routes: [
    route('2', { number: '111', extension: '700' }),
    route('3', { number: '222', extension: 'busy', disabled: true }),
  ],
  defaultRoute: route('1', { did_to_extension: true, extension: '600' }),
  rules: [
    rule('1', {
      description: 'Night',
      action: 'extension',
      extension: '303',
      extension_represent: 'Cora <303>',
    }),
    rule('2', {
      action: 'playmessage',
      audio_message_id_represent: 'Closed',
      allowRestriction: true,
      incomingRouteIds: [2],
    }),
    rule('3', { description: 'never', disabled: true, action: 'extension', extension: '304' }),
  ],
  menus: [
    {
      id: 'IVR',
      name: 'Desk',
      extension: '700',
      actions: [{ digits: '1', represent: 'Sales <600>' }],
      timeout_extension: '301',
      timeout_extension_represent: 'Anna <301>',
    } as MenuListItem,
  ],
  queues: [
    {
      id: 'Q',
      name: 'Sales',
      extension: '600',
      members: [{ extension: '301', represent: 'Anna <301>' }],
    } as QueueListItem,
  ],
  wholeMenus: new Map([['IVR', { invalid_extension: 'hangup', invalid_extension_represent: '' } as Menu]]),
  wholeQueues: new Map([
    [
      'Q',
      {
        timeout_to_redirect_to_extension: 60,
        timeout_extension: '302',
        timeout_extension_represent: 'Boris <302>',
        redirect_to_extension_if_empty: '700',
        redirect_to_extension_if_full: '+491',
        redirect_to_extension_if_full_represent: '+491',
      } as Queue,
    ],
  ]),
  hasMoreEmployees: false,
  employees: new Map([
    person('302', {
      fwd_forwarding: '305',
      fwd_forwarding_represent: 'Dora <305>',
      fwd_forwardingonbusy: 'busy',
      fwd_forwardingonbusy_represent: '',
    }),
    person('305', {
      fwd_forwardingonunavailable: '306',
      fwd_forwardingonunavailable_represent: 'Emil <306>',
    }),
    person('399', { fwd_forwarding: '301' }),
  ]),
};

test('every target named in a record gets a line: overflows, closed hours, wrong keys, chained forwards', () => {
  const { lines } = flowOf(records, words);
  expect(
    lines.map(({ from, to, label, isDashed }) => `${from} > ${to} ${label}${isDashed ? ' -' : ''}`),
  ).toEqual([
    'route 2 > to 700 open',
    'route 2 > hours closed -',
    'route 3 > to busy ',
    'route 1 > to did2user known',
    'route 1 > to 600 unknown',
    'route 1 > hours closed -',
    'hours > to 303 Night -',
    'hours > message Closed off-work-times.unnamed 2 -',
    'to 700 > to 600 1',
    'to 700 > to 301 nothing',
    'to 700 > to hangup wrong',
    'to 600 > to 301 rings',
    'to 600 > to 302 waited 60',
    'to 600 > to 700 empty',
    'to 600 > to +491 full',
    'to 302 > to 305 noAnswer',
    'to 302 > to busy busy',
    'to 305 > to 306 unreachable',
  ]);
});

test('menus and queues have boxes of their own, and everybody else appears once among the people', () => {
  const { boxes } = flowOf(records, words);
  expect(boxes.filter(({ column }) => column === 'people').map(({ key }) => key)).toEqual([
    'to busy',
    'to did2user',
    'to 303',
    'message Closed',
    'to 301',
    'to hangup',
    'to 302',
    'to +491',
    'to 305',
    'to 306',
  ]);
  expect(boxes.find(({ key }) => key === 'to 700')).toMatchObject({ column: 'menus', to: '/menus/IVR' });
  expect(boxes.find(({ key }) => key === 'route 3')).toMatchObject({ isOff: true });
});

test('only routes covered by a rule lead to the opening hours', () => {
  const [, restricted] = records.rules;
  const { lines } = flowOf({ ...records, rules: restricted ? [restricted] : [] }, words);
  expect(lines.filter(({ to }) => to === 'hours').map(({ from }) => from)).toEqual(['route 2']);
  const open = flowOf({ ...records, rules: [] }, words);
  expect(open.boxes.some(({ key }) => key === 'hours')).toBe(false);
  expect(open.lines[0]).toMatchObject({ label: '' });
});

test('omissions are reported: too many of a kind, of members or of rules, and people who were not read', () => {
  const isCut = (more: Partial<Parameters<typeof flowOf>[0]>) => flowOf({ ...records, ...more }, words).isCut;
  expect(isCut({})).toBe(false);
  const many = Array.from({ length: 61 }, (_, at) => at);
  expect(isCut({ routes: many.map((at) => route(String(at + 2), {})) })).toBe(true);
  expect(isCut({ rules: many.map((at) => rule(String(at), { action: 'extension', extension: '' })) })).toBe(
    true,
  );
  const members = many.map((at) => ({ extension: `${300 + at}`, represent: `${300 + at}` }));
  const [queue] = records.queues;
  expect(isCut({ queues: queue ? [{ ...queue, members } as QueueListItem] : [] })).toBe(true);
  // Anna is in the picture, and her forwards are unknown.
  expect(isCut({ hasMoreEmployees: true })).toBe(true);
  const people = ['301', '302', '303', '305', '306'].map((number) => person(number, {}));
  expect(isCut({ hasMoreEmployees: true, employees: new Map(people) })).toBe(false);
});
