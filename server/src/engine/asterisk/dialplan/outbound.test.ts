import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DesiredOutboundRoute, PLAIN_CALL_FLOW } from '../../desired-call-flow.ts';
import type { DesiredProvider, DesiredState } from '../../desired-state.ts';
import { extension } from '../../engine.suite.ts';
import { parseConfig } from '../config/parse.suite.ts';
import { providerKey } from './contexts.ts';
import { renderOutbound } from './outbound.ts';

const provider = (id: string, fields: Partial<DesiredProvider> = {}) =>
  ({ id, host: `${id}.example`, username: '', fromUser: '', fromDomain: '', ...fields }) as DesiredProvider;
const route = (fields: Partial<DesiredOutboundRoute>): DesiredOutboundRoute => ({
  id: 1,
  name: '',
  providerId: 'SIP-2',
  beginsWith: '',
  restDigits: -1,
  trim: 0,
  prepend: '',
  callerId: '',
  forwardedCallerId: 'caller',
  callClass: 'national',
  isDisabled: false,
  ...fields,
});
const render = (outboundRoutes?: readonly DesiredOutboundRoute[], state: Partial<DesiredState> = {}) =>
  renderOutbound({
    extensions: [],
    providers: [provider('SIP-1'), provider('SIP-2')],
    refusedSources: [],
    ...state,
    callFlow: { ...PLAIN_CALL_FLOW, emergencyNumbers: ['112'], outboundRoutes },
  });
const linesOf = (text: string, name: string) =>
  parseConfig(text)
    .find((section) => section.name === name)
    ?.settings.map(([key, value]) => `${key} ${value}`);

test('without routes calls go out over every provider, and none has a rule for showing the caller', () => {
  expect(linesOf(render(), 'pbx-ways')).toEqual(['exten _[+*#0-9]!,1,Goto(pbx-every-provider,${EXTEN},1)']);
  expect(linesOf(render(), 'pbx-senders')).toEqual([]);
});

test('a route has one line per possible beginning of a number, which names the next route', () => {
  const [first, second] = ['SIP-1', 'SIP-2'].map(providerKey);
  const text = render([
    route({
      id: 7,
      beginsWith: '7',
      restDigits: 1,
      trim: 1,
      prepend: '8',
      callerId: '+493055',
      callClass: 'premium',
    }),
    route({ id: 2, isDisabled: true }),
    route({ id: 3, providerId: 'SIP-GONE' }),
    route({ id: 4, forwardedCallerId: 'own', providerId: 'SIP-1' }),
  ]);
  expect(linesOf(text, 'pbx-ways')).toEqual(['exten _[+*#0-9]!,1,Goto(pbx-every-route,${EXTEN},1)']);
  expect(linesOf(text, 'pbx-routes-begin')).toEqual(['include pbx-route-7']);
  expect(linesOf(text, 'pbx-route-7')).toEqual([
    `exten _7X,1,Return(7,pbx-route-4,${second},8\${EXTEN:1},3,+493055,1)`,
    `exten _+7X,1,Return(7,pbx-route-4,${second},8\${EXTEN:2},3,+493055,1)`,
    'include pbx-route-4',
  ]);
  expect(linesOf(text, 'pbx-route-4')).toEqual([
    `exten _[*#0-9]!,1,Return(4,pbx-routes-end,${first},\${EXTEN},1,,)`,
    `exten _+!,1,Return(4,pbx-routes-end,${first},\${EXTEN},1,,)`,
    'include pbx-routes-end',
  ]);
});

test('contract C10: the names of routes and providers do not depend on which others there are', () => {
  const [upper, lower] = [route({ id: 7, providerId: 'SIP-1' }), route({ id: 3, providerId: 'SIP-2' })];
  const before = render([upper, lower]);
  const after = render([lower], { providers: [provider('SIP-2')] });
  expect(linesOf(after, 'pbx-route-3')).toEqual(linesOf(before, 'pbx-route-3'));
  expect(linesOf(before, 'pbx-senders')).toEqual(expect.arrayContaining(linesOf(after, 'pbx-senders') ?? []));
});

test('no chain of routes is longer than the engine follows', () => {
  const sections = parseConfig(
    render(Array.from({ length: 1000 }, (_, at) => route({ id: at + 1, beginsWith: '7' }))),
  );
  const included = new Map(
    sections.map(({ name, settings }) => [name, settings.find(([key]) => key === 'include')?.[1]]),
  );
  let longest = 0;
  for (const begin of included.keys()) {
    let length = 1;
    for (let at = included.get(begin); at !== undefined; at = included.get(at)) length++;
    longest = Math.max(longest, length);
  }
  expect(longest).toBeLessThan(100);
});

test('whatever people enter, every line for outgoing calls has one of our forms', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 70 }),
    fc.constantFrom(
      '7\n[x]\nexten => _X.,1,System(id)',
      '${SHELL(id)}',
      '1,2)',
      ';',
      '7|8',
      '(7|8)X',
      '+4930',
      'anonymous',
    ),
  );
  fc.assert(
    fc.property(hostile, hostile, hostile, hostile, (beginsWith, prepend, callerId, name) => {
      const people = [extension('201', { outgoingCallerId: callerId, callClass: 'internal' })];
      const sender = provider('SIP-2', { fromUser: name, fromDomain: callerId, username: prepend });
      const text = render([route({ beginsWith, prepend, callerId, name })], {
        extensions: people,
        providers: [sender],
      });
      for (const line of text.split('\n'))
        expect(line).toMatch(
          /^(|\[pbx-[\w-]+\]|include => pbx-(route-1|routes-end)|exten => (201|112|[0-9a-f]{12}|_[+*#\dXZN!-[\]]+),1,(Gosub\(pbx-urgent,112,1\)|Set\(PBX_(SHOWS=(anonymous|\+?\d+)|CLASS=0)\)|Return\(pai,[\w.:[\]-]*,[\w.+%-]*\)|Goto\(pbx-[\w-]+,\$\{EXTEN\},1\)|Return\(1,pbx-routes-end,[0-9a-f]{12},[\d+*#]*\$\{EXTEN(:\d+)?\},1,(anonymous|\+?\d+)?,1\))| same => n,Return\(\))$/,
        );
    }),
    { numRuns: 1000 },
  );
});
