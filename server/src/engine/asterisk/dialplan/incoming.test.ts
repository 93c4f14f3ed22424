import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DesiredIncomingRoute, PLAIN_CALL_FLOW } from '../../desired-call-flow.ts';
import { parseConfig } from '../config/parse.suite.ts';
import { linesOf, renderIncoming } from './incoming.ts';

const route = (id: number, fields: Partial<DesiredIncomingRoute> = {}): DesiredIncomingRoute => ({
  id,
  name: '',
  number: '',
  match: 'exact',
  providerId: '',
  callers: [],
  priority: id,
  target: '201',
  timeoutSeconds: 120,
  soundId: '',
  ...fields,
});
const render = (routes: readonly DesiredIncomingRoute[], flow = {}) =>
  renderIncoming({ ...PLAIN_CALL_FLOW, ...flow, incomingRoutes: routes });
const contextOf = (text: string, name: string) =>
  parseConfig(text)
    .find((section) => section.name === name)
    ?.settings.map(([, value]) => value);

test('without routes a call goes straight to route 1', () => {
  expect(contextOf(render([]), 'pbx-incoming')).toEqual(['s,1,Goto(pbx-routes,1,1)']);
  expect(render([])).not.toContain('pbx-fit');
});

test('an exact number takes one line, however many routes it has, and each route takes one line', () => {
  const routes = Array.from({ length: 1000 }, (_, at) =>
    route(at + 2, { number: String(4930000 + (at % 500)) }),
  );
  const text = render(routes);
  expect(contextOf(text, 'pbx-fit-exact')).toHaveLength(500);
  expect(contextOf(text, 'pbx-fit-exact')?.[0]).toBe('0*4930000,1,Return(2-502-)');
  expect(contextOf(text, 'pbx-routes')).toHaveLength(1001);
  // One lookup per kind of match, however many routes there are.
  expect(contextOf(text, 'pbx-fits')?.length).toBeLessThan(6);
});

test('contract 22.11: the routes of a provider are found by its line, together with those for all providers', () => {
  const routes = [
    route(2, { number: '4930', providerId: 'SIP-B' }),
    route(3, { number: '4930' }),
    route(4, { number: '4930', providerId: 'SIP-A' }),
  ];
  expect(contextOf(render(routes), 'pbx-fit-exact')).toEqual([
    '2*4930,1,Return(2-3-)',
    '0*4930,1,Return(3-)',
    '1*4930,1,Return(3-4-)',
  ]);
  expect([...linesOf({ ...PLAIN_CALL_FLOW, incomingRoutes: routes })]).toEqual([
    ['SIP-A', 1],
    ['SIP-B', 2],
  ]);
});

test('patterns share a context unless they overlap; then the closer one is tried first', () => {
  const texts = ['_4930X', '_4931X', '_49.', '_X!'];
  const text = render(texts.map((number, at) => route(at + 2, { number })));
  expect(contextOf(text, 'pbx-fit-pattern-1')?.map((line) => line.split(',')[0])).toEqual([
    '_0*4930X',
    '_0*4931X',
  ]);
  expect(contextOf(text, 'pbx-fit-pattern-2')).toEqual(['_0*49.,1,Return(4-)']);
  expect(contextOf(text, 'pbx-fit-pattern-3')).toEqual(['_0*X!,1,Return(5-)']);
});

test('contract 22.2: no pattern is longer in the dialplan than it was written, so the engine cuts none', () => {
  const sets = fc.constantFrom('X', 'Z', 'N', '7', '[1-5]', '[0-9]', '[13579]', '[0-24-79]', '[1-35]');
  const pattern = fc
    .tuple(fc.array(sets, { minLength: 1, maxLength: 49 }), fc.constantFrom('', '.', '!'))
    .map(([places, rest]) => `_${places.join('')}${rest}`)
    .filter((text) => text.length <= 50);
  fc.assert(
    fc.property(pattern, (number) => {
      const [line = ''] = contextOf(render([route(2, { number })]), 'pbx-fit-pattern-1') ?? [];
      expect(line.replace('0*', '').indexOf(',')).toBeLessThanOrEqual(number.length);
    }),
  );
});

test('1 000 patterns are rendered within the time of a reload', () => {
  const routes = Array.from({ length: 1000 }, (_, at) => route(at + 2, { number: `_${49000 + at}X.` }));
  const text = render(routes);
  expect(contextOf(text, 'pbx-fit-pattern-1')).toHaveLength(1000);
  expect(text).not.toContain('pbx-fit-pattern-2');
});

test('opening hours are checked once, with the first route, and only if there are rules', () => {
  const rule = {
    id: 1,
    name: '',
    timezone: 'UTC',
    when: { kind: 'calendar', ranges: [] },
    target: '201',
    soundId: '',
    routeIds: undefined,
  };
  const text = render([], { offWorkRules: [rule] });
  expect(contextOf(text, 'pbx-incoming')).toEqual([
    's,1,Gosub(pbx-fits,s,1)',
    'n,Gosub(pbx-hours,s,1(${CUT(PBX_ROUTES,-,1)}))',
    'n,Goto(pbx-next-route,1,1)',
  ]);
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom(
    '201,1)\nexten => _X.,1,System(id)',
    '${SHELL(id)}',
    '"|a',
    '$[1]',
    '[x]',
    ';--',
    '_[1-5',
    '+*',
  ),
);

const OURS =
  /^(\[pbx-[a-z]+(-[a-z]+)*(-\d+)?\]|exten => [\w.*[\]!]+,1,(Gosub|Goto|Return|NoOp)\([^\r\n]*\)| same => n,(Gosub|Goto|GotoIf|ExecIf|Return)\([^\r\n]*\)|)$/;

test('whatever another tool stores, every line has one of our forms', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          number: hostile,
          target: hostile,
          name: hostile,
          providerId: hostile,
          callers: fc.array(hostile, { maxLength: 2 }),
          match: fc.constantFrom('exact', 'ends'),
        }),
        { maxLength: 4 },
      ),
      hostile,
      (fields, text) => {
        const sounds = [{ id: '7', name: text, category: 'custom', file: `/srv/${text}`, seconds: 1 }];
        const numbering = { ...PLAIN_CALL_FLOW.numbering, countryCode: text, nationalPrefix: text };
        const routes = fields.map((one, at) => route(at + 2, { ...one, soundId: '7' }));
        const lines = render(routes, { sounds, numbering }).split('\n');
        expect(lines.filter((line) => !OURS.test(line))).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});
