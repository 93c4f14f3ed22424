import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DesiredOutboundRoute, PLAIN_CALL_FLOW } from '../../desired-call-flow.ts';
import type { DesiredProvider, DesiredState } from '../../desired-state.ts';
import { extension } from '../../engine.suite.ts';
import { parseConfig } from '../config/parse.suite.ts';
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

test('without routes every provider is a way out, and none is told how to show a caller', () => {
  expect(linesOf(render(), 'pbx-ways')).toEqual(['exten _[+*#0-9]!,1,Goto(pbx-every-provider,${EXTEN},1)']);
  expect(linesOf(render(), 'pbx-senders')).toEqual([]);
});

test('a route is a line per way that a number may begin, then comes the next one', () => {
  const text = render([
    route({
      beginsWith: '7',
      restDigits: 1,
      trim: 1,
      prepend: '8',
      callerId: '+493055',
      callClass: 'premium',
    }),
    route({ isDisabled: true }),
    route({ providerId: 'SIP-GONE' }),
    route({ forwardedCallerId: 'own', providerId: 'SIP-1' }),
  ]);
  expect(linesOf(text, 'pbx-route-1')).toEqual([
    'exten _7X,1,Gosub(pbx-over,${EXTEN},1(2,8${EXTEN:1},3,+493055,1))',
    'same n,Goto(pbx-route-2,${EXTEN},1)',
    'exten _+7X,1,Gosub(pbx-over,${EXTEN},1(2,8${EXTEN:2},3,+493055,1))',
    'same n,Goto(pbx-route-2,${EXTEN},1)',
    'include pbx-route-2',
  ]);
  expect(linesOf(text, 'pbx-route-2')?.[0]).toBe(
    'exten _[*#0-9]!,1,Gosub(pbx-over,${EXTEN},1(1,${EXTEN},1,,))',
  );
  expect(linesOf(text, 'pbx-route-3')).toEqual(['exten _[+*#0-9]!,1,Goto(pbx-routes-end,${EXTEN},1)']);
});

test('no chain of routes is longer than the engine follows', () => {
  const sections = parseConfig(render(Array.from({ length: 1000 }, () => route({ beginsWith: '7' }))));
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

test('whatever people write, calls out have not one line that is not ours', () => {
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
          /^(|\[pbx-[\w-]+\]|include => pbx-route-2|exten => (201|112|1|_[+*#\dXZN!-[\]]+),1,(Gosub\(pbx-urgent,112,1\)|Set\(PBX_(SHOWS=(anonymous|\+?\d+)|CLASS=0)\)|Return\(pai,[\w.:[\]-]*,[\w.+%-]*\)|Goto\(pbx-[\w-]+,\$\{EXTEN\},1\)|Gosub\(pbx-over,\$\{EXTEN\},1\(1,[\d+*#]*\$\{EXTEN(:\d+)?\},1,(anonymous|\+?\d+)?,1\)\))| same => n,(Return\(\)|Goto\(pbx-route-2,\$\{EXTEN\},1\)))$/,
        );
    }),
    { numRuns: 1000 },
  );
});
