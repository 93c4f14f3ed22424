import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRecentLog } from './recent-log.ts';

const textsOf = (recent: ReturnType<typeof createRecentLog>) => recent.lines().map(({ text }) => text);

test('a line is read back with time, level, text and what was logged besides', () => {
  const recent = createRecentLog();
  const log = pino({ level: 'trace', timestamp: () => ',"time":1777882272000' }, recent);
  log.warn({ address: '192.0.2.7' }, 'failed login');
  log.fatal('the end');
  expect(recent.lines()).toEqual([
    {
      at: 1777882272000,
      level: 'warn',
      source: 'service',
      text: 'failed login',
      fields: { address: '192.0.2.7' },
    },
    { at: 1777882272000, level: 'fatal', source: 'service', text: 'the end', fields: {} },
  ]);
});

test('only the last lines are kept, in order, however many are written', () => {
  const recent = createRecentLog({ maxLines: 3 });
  const log = pino({}, recent);
  for (let i = 0; i < 50; i++) {
    log.info(`line ${i}`);
    const last = Array.from({ length: Math.min(3, i + 1) }, (_, back) => `line ${i - back}`).reverse();
    expect(textsOf(recent)).toEqual(last);
  }
});

test('long lines push out more of the earlier ones, and one that is longer than the room is not kept', () => {
  const recent = createRecentLog({ maxCharacters: 500 });
  const log = pino({ base: null }, recent);
  for (let i = 0; i < 5; i++) log.info('x'.repeat(100) + i);
  expect(textsOf(recent).map((text) => text.at(-1))).toEqual(['2', '3', '4']);
  log.info('x'.repeat(1000));
  expect(textsOf(recent)).toEqual([]);
  log.info('after it');
  expect(textsOf(recent)).toEqual(['after it']);
});
