import { expect, test } from 'vitest';
import { EngineAway } from '../../../lib/errors.ts';
import { SOURCES } from './refusal-line.ts';
import { createRefusalWatch } from './refusal-watch.ts';

function begin(answer: (line: string) => void = () => {}) {
  const commands: string[] = [];
  const errors: unknown[] = [];
  const watch = createRefusalWatch({
    ami: {
      async command(line) {
        commands.push(line);
        answer(line);
        return '';
      },
    },
    clock: { now: () => 1_000_000 },
    onError: (error) => errors.push(error),
  });
  return { watch, commands, errors };
}

test('closing resets the debug levels of an engine that runs on without the service', async () => {
  const { watch, commands } = begin();
  await watch.begin();
  watch.detail();
  await watch.close();
  // The last lines are read after that.
  watch.detail();
  await watch.begin();
  expect(commands.slice(-2)).toEqual([
    `core set debug 0 ${SOURCES.offers}`,
    `core set debug 0 ${SOURCES.sessions}`,
  ]);
});

test('an engine that goes away before the reset is no error', async () => {
  const { watch, errors } = begin((line) => {
    if (line.includes('debug 0')) throw new EngineAway('gone');
  });
  await watch.begin();
  await watch.close();
  expect(errors).toEqual([]);
});

test('an engine that is away gets no commands at closing', async () => {
  const { watch, commands } = begin();
  await watch.begin();
  watch.engineLost();
  const before = [...commands];
  await watch.close();
  expect(commands).toEqual(before);
});
