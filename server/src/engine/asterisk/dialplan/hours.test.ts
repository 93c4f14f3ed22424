import { expect, test } from 'vitest';
import { rule, weekly } from '../../call-flow/off-work.suite.ts';
import { type DesiredCallFlow, PLAIN_CALL_FLOW } from '../../desired-call-flow.ts';
import { hoursLogic, renderHours } from './hours.ts';

const NOW = Date.UTC(2026, 4, 1);
const clock = { now: () => NOW };
const flow = (fields: Partial<DesiredCallFlow>): DesiredCallFlow => ({ ...PLAIN_CALL_FLOW, ...fields });
const render = (fields: Partial<DesiredCallFlow>, at = clock) =>
  hoursLogic(flow(fields)) + renderHours(flow(fields), at);
const line = (text: string, beginning: string) => text.split('\n').find((each) => each.startsWith(beginning));

test('a closed line leads to the target of its rule or plays its message', () => {
  const sound = { id: '4', name: 'Closed', category: 'custom', file: '/srv/sounds/4', seconds: 8 } as const;
  const [when, timezone] = [weekly(6, 7), 'UTC'];
  const offWorkRules = [
    rule({ id: 1, when, timezone, target: '600' }),
    rule({ id: 2, when, timezone, target: 'busy' }),
    rule({ id: 3, when, timezone, target: '+49 30)\nexten => x,1,System(id)' }),
    rule({ id: 4, when, timezone, target: '', soundId: '4', name: 'Week end' }),
    rule({ id: 5, when, timezone, target: '', soundId: '5' }),
  ];
  const text = render({ offWorkRules, sounds: [sound] });
  expect(line(text, 'exten => 1,')).toBe('exten => 1,1,Goto(pbx-target,600,1)');
  expect(line(text, 'exten => 2,')).toBe('exten => 2,1,Goto(pbx-target,busy,1)');
  expect(line(text, 'exten => 3,')).toBe('exten => 3,1,Goto(pbx-target,hangup,1)');
  expect(line(text, 'exten => 4,')).toMatch(
    /^exten => 4,1,Gosub\(pbx-closed-message,s,1\(\/srv\/sounds\/4,=[\w+/=]+\)\)$/,
  );
  expect(line(text, 'exten => 5,')).toBe(undefined);
});

test('the night switch has the configured feature code, or none', () => {
  const code = (night: string) => render({ featureCodes: { night, queueLogin: '', queuePause: '' } });
  expect(code('*28')).toContain('[pbx-features]\nexten => *28,1,Goto(pbx-night,*28,1)\n');
  expect(code('')).not.toContain('[pbx-features]');
});

test('the text is the same on the next day, so that no reload is needed', () => {
  const offWorkRules = [rule({ when: weekly(6, 7) })];
  const later = { now: () => NOW + 86_400_000 };
  expect(render({ offWorkRules }, later)).toBe(render({ offWorkRules }));
  expect(render({ offWorkRules })).toContain('>= 1792890000');
});

test('5 000 ranges of a calendar take one line per day, and no line is longer than the engine reads', () => {
  const day = 86_400_000;
  const ranges = Array.from(
    { length: 5000 },
    (_, at) => [NOW + at * 60_000 * 110, NOW + at * 60_000 * 110 + 60_000] as const,
  );
  const text = render({ offWorkRules: [rule({ id: 7, when: { kind: 'calendar', ranges } })] });
  const days = text.split('\n').filter((each) => /^exten => \d{8},1,/.test(each));
  expect(days.length).toBe(Math.ceil((5000 * 60_000 * 110) / day));
  const crowded = Array.from(
    { length: 720 },
    (_, at) => [NOW + at * 120_000, NOW + at * 120_000 + 60_000] as const,
  );
  const lines = render({ offWorkRules: [rule({ when: { kind: 'calendar', ranges: crowded } })] }).split('\n');
  expect(Math.max(...lines.map((each) => each.length))).toBeLessThan(1500);
});

test('rules for the same routes share one list of routes', () => {
  const offWorkRules = [1, 2, 3].map((id) =>
    rule({ id, when: weekly(6, 7), routeIds: id === 3 ? [] : [5, 7] }),
  );
  const text = render({ offWorkRules });
  expect(text.match(/\[pbx-hours-routes-\d+\]/g)).toEqual(['[pbx-hours-routes-1]']);
  expect(text).not.toContain('Return(3)');
});
