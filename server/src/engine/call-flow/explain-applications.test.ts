import { expect, test } from 'vitest';
import { chain, explain, menu, present, queue, route, rung } from './explain.suite.ts';

test('contract 27.4, 27.5: when members ring goes by the strategy', () => {
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

test('keys that are pressed ahead count in the next menu, unless something else comes before it', () => {
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
