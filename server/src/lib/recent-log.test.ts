import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createRecentLog } from './recent-log.ts';

const textsOf = (recent: ReturnType<typeof createRecentLog>) => recent.lines().map(({ text }) => text);

test('a line is read back with its time, level, text and other fields', () => {
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

test('long lines push out more of the earlier ones, and a line longer than the room is not kept', () => {
  const recent = createRecentLog({ maxCharacters: 500 });
  const log = pino({ base: null }, recent);
  for (let i = 0; i < 5; i++) log.info('x'.repeat(100) + i);
  expect(textsOf(recent).map((text) => text.at(-1))).toEqual(['2', '3', '4']);
  log.info('x'.repeat(1000));
  expect(textsOf(recent)).toEqual([]);
  log.info('after it');
  expect(textsOf(recent)).toEqual(['after it']);
});

test('lines that modules wrote or caused have their own share of the room and appear in order among the others', () => {
  const recent = createRecentLog({ maxLines: 4, maxModuleLines: 3 });
  const log = pino({}, recent);
  const wrote = (text: string) => log.info({ module: 'M', moduleShare: 'wrote' }, text);
  log.info({ module: 'M', by: 'admin' }, 'switched on');
  for (let i = 0; i < 50; i++) wrote(`w${i}`);
  log.info('after it');
  log.error({ module: 'M', moduleShare: 'caused' }, 'a handler failed');
  expect(recent.lines().map(({ text, author }) => [text, author])).toEqual([
    ['switched on', undefined],
    ['w48', 'M'],
    ['w49', 'M'],
    ['after it', undefined],
    ['a handler failed', undefined],
  ]);
  for (const { fields } of recent.lines()) expect(fields).not.toHaveProperty('moduleShare');
  for (let i = 0; i < 50; i++) log.info(`x${i}`);
  expect(textsOf(recent)).toEqual(['w48', 'w49', 'a handler failed', 'x46', 'x47', 'x48', 'x49']);
});

test('no text or field of a line makes it count as a line of a module', () => {
  const recent = createRecentLog();
  const log = pino({}, recent);
  log.info({ asked: '"moduleShare":"wrote"' }, '{"moduleShare":"wrote"}');
  log.info({ module: 'M', details: { moduleShare: 'wrote', author: 'N' } }, 'nested');
  log.info({ author: 'N' }, 'no module');
  expect(recent.lines().map(({ author }) => author)).toEqual([undefined, undefined, undefined]);
  expect(textsOf(recent)).toHaveLength(3);
});
