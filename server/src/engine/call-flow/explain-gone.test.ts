import { expect, test } from 'vitest';
import { chain, explain, menu, queue, route, weekend } from './explain.suite.ts';

const goneNumbers = (number: string): string[] => (number === '202' ? [] : ['250', '251']);

test('contract 25.13: a menu or queue on the way that names numbers which no longer exist causes a warning', () => {
  const flow = {
    incomingRoutes: [route(5, '', '700')],
    menus: [menu('700', { name: 'Main', onTimeout: '600' }), menu('701')],
    queues: [queue('600', ['201'])],
  };
  expect(explain(flow, {}, { goneNumbers }).warnings).toEqual([
    'menu "Main" (700) names 250, 251, which nobody here has any more',
    'queue 600 names 250, 251, which nobody here has any more',
  ]);
  const many = Array.from({ length: 22 }, (_, at) => String(300 + at));
  const { warnings } = explain(flow, {}, { goneNumbers: () => many });
  expect(warnings[0]).toContain(`${many.slice(0, 20).join(', ')} and 2 more, which nobody here has any more`);
});

test('contract 26.11: a rule that would close the line but no longer leads anywhere causes a warning', () => {
  const flow = { incomingRoutes: [route(5, '', '201')] };
  const ask = (fields: Parameters<typeof weekend>[0]) =>
    explain(flow, { isNow: false }, { goneRules: [weekend({ target: '250', ...fields })] });
  const told = ask({});
  expect(chain(told)).toBe('route 5, employee 201, default 1');
  expect(told.warnings).toEqual([
    'rule "Weekend" (1) is passed over: its target 250 is nobody\'s number here any more',
  ]);
  expect(ask({ routeIds: [7] }).warnings).toEqual([]);
  const monday = { isNow: false, at: Date.parse('2026-05-04T08:00:00Z') };
  expect(explain(flow, monday, { goneRules: [weekend({ target: '250' })] }).warnings).toEqual([]);
});

test('contract 26.11: a rule that would close the line but has no sound to play causes a warning', () => {
  const offWorkRules = [weekend({ target: '', soundId: '3' })];
  expect(explain({ incomingRoutes: [route(5, '', '201')], offWorkRules }).warnings).toEqual([
    'rule "Weekend" (1) is passed over: its sound has no audio',
  ]);
});
