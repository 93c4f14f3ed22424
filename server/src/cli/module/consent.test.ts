import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { accepts, openings } from './consent.ts';

const endpoint = (path: string, ...channels: string[]) => ({ verb: 'GET', path, channels });
const check = (reads: string[], ...endpoints: ReturnType<typeof endpoint>[]) => ({
  id: 'Demo',
  version: '1.0.0',
  reads,
  writes: reads.length > 0 ? ['employees'] : [],
  acts: reads.length > 0 ? ['originate', 'hangup'] : [],
  endpoints,
});
const QUIET = check([], endpoint('/a', 'bearer_token'));
const LOUD = check(
  ['calls', 'bans'],
  endpoint('/all', 'public', 'localhost'),
  endpoint('/here', 'localhost', 'bearer_token'),
  endpoint('/key', 'bearer_token'),
);

/** Types `typed`, at a terminal or not. */
async function asked(given: typeof LOUD, typed: string | undefined, { yes = false, isTTY = true } = {}) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = Object.assign(new PassThrough(), { isTTY });
  if (typed === undefined) input.end();
  else input.write(typed);
  const answer = await accepts(given, yes, { input, output }).catch((error: Error) => error);
  output.end();
  return { answer, shown: await text(output) };
}

test('everything that a module reads, changes, does and answers without a key is listed, and nothing else', () => {
  expect(openings(QUIET)).toEqual([]);
  expect(openings(LOUD)).toEqual([
    '  it reads on its own account: calls, bans',
    '  it changes in the exchange: employees',
    '  it acts on calls by itself: originate, hangup',
    '  it answers everybody, without a key:',
    '    GET /all',
    '  it answers programs on this machine, without a key:',
    '    GET /here',
  ]);
});

test.each([
  ['y\n', true],
  ['YES\n', true],
  ['n\n', false],
  ['\n', false],
  ['yesterday\n', false],
  [undefined, false],
])('at a terminal the user is asked, and the answer %j means %j', async (typed, accepted) => {
  const { answer, shown } = await asked(LOUD, typed);
  expect(answer).toBe(accepted);
  expect(shown).toContain('GET /here');
  expect(shown).toContain('Enable it? [y/N]');
});

test('without a terminal nobody is asked, and the refusal names --yes', async () => {
  const { answer, shown } = await asked(LOUD, 'y\n', { isTTY: false });
  expect(answer).toMatchObject({ name: 'CommandFailed', remedy: 'add --yes to accept it' });
  expect(shown).not.toContain('Enable it?');
});

test('--yes accepts and still shows the list; with nothing to accept nothing is shown', async () => {
  expect(await asked(LOUD, undefined, { yes: true, isTTY: false })).toMatchObject({
    answer: true,
    shown: expect.stringContaining('GET /all'),
  });
  expect(await asked(QUIET, undefined, { isTTY: false })).toEqual({ answer: true, shown: '' });
});
