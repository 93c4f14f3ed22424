import { describe, expect, test } from 'vitest';
import { chain, explain, menu, route, weekend } from './explain.suite.ts';

test('contract 28.4: unreached routes are named in the step that stops them, almost fitting ones in warnings', () => {
  const off = (id: number, reason: 'disabled' | 'provider disabled') => ({
    route: route(id, '', '201'),
    reason,
  });
  const told = explain(
    {
      incomingRoutes: [
        route(2, '4930111', '700'),
        route(3, '4930111', '201'),
        route(4, '4930111', '201', { providerId: 'Q', name: 'Other line' }),
        route(5, '', '201', { callers: ['+49160*'] }),
        route(6, '999', '201', { providerId: 'Q' }),
      ],
      menus: [menu('700')],
    },
    {},
    { idleRoutes: [off(7, 'disabled'), off(8, 'provider disabled')] },
  );
  expect(told.steps.find(({ kind }) => kind === 'menu')!.text).toMatch(/ Not reached: route 3, 1\.$/);
  expect(told.warnings).toEqual([
    'nobody can be rung',
    'route "Other line" (4) is for another provider',
    'route 5 is for other callers',
    'route 7 is switched off',
    'route 8 is for a provider that is not in service',
  ]);
});

describe('contract 28.4, 22.5: a route whose number fits less closely', () => {
  const any = route(2, '', '600', { name: 'Any' });
  const exact = route(3, '4930111', '201');
  const notReached = 'Not reached: route "Any" (2), whose number fits less closely.';

  test('is named in the step of the closer route', () => {
    const told = explain({ incomingRoutes: [any, exact] });
    expect(chain(told)).toBe('route 3, employee 201, default 1');
    expect(told.steps[1]!.text).toBe(`Route 3 leads to 201. ${notReached}`);
    expect(told.warnings).toEqual([]);
    const others = Array.from({ length: 21 }, (_, at) => route(at + 4, '', '600'));
    expect(explain({ incomingRoutes: [exact, ...others] }).steps[1]!.text).toMatch(
      / route 4, 5, .*, 23 and 1 more, whose number fits less closely\.$/,
    );
  });

  test('is named in the last step if the closer route is not reached either', () => {
    const forCaller = route(4, '', 'busy', { callers: ['0151*'] });
    const told = explain({ incomingRoutes: [any, exact, forCaller] });
    expect(told.steps.at(-1)!.text).toContain(`Not reached: route 3, 1. ${notReached}`);
    const closed = explain({ incomingRoutes: [any, exact], offWorkRules: [weekend({ target: '201' })] });
    expect(
      closed.steps
        .map(({ text }) => text)
        .join(' ')
        .split(notReached),
    ).toHaveLength(2);
  });

  test('is not named if it would not fit at all', () => {
    const others = [route(2, '', '600', { providerId: 'Q' }), route(4, '', '600', { callers: ['0170*'] })];
    const { steps } = explain({ incomingRoutes: [...others, exact] });
    expect(steps.map(({ text }) => text).join()).not.toContain('Not reached');
  });
});
