import { ErrorReply } from '@redis/client';
import { expect, test } from 'vitest';
import { StoreRefusesWrites } from '../../lib/errors.ts';
import { isWrongServer, unavailable } from './redis-refusals.ts';

const IN_SCRIPT = 'ERR Error running script (call to f_0f): @user_script:3: @user_script: 3: -';

test.each([
  ["READONLY You can't write against a read only replica.", 'leaves', 'refuses writes'],
  [
    "READONLY You can't write against a read only replica. script: 0f, on @user_script:3.",
    'leaves',
    'refuses writes',
  ],
  [`${IN_SCRIPT}READONLY You can't write against a read only replica.`, 'leaves', 'refuses writes'],
  ['NOREPLICAS Not enough good replicas to write.', 'leaves', 'refuses writes'],
  ["MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", 'leaves', 'no answer'],
  ['LOADING Redis is loading the dataset in memory', 'leaves', 'no answer'],
  ["OOM command not allowed when used memory > 'maxmemory'.", 'stays', 'refuses writes'],
  [`${IN_SCRIPT}OOM command not allowed when used memory > 'maxmemory'.`, 'stays', 'refuses writes'],
  [
    'MISCONF Redis is configured to save RDB snapshots, but it is unable to persist to disk.',
    'stays',
    'refuses writes',
  ],
  ['WRONGTYPE Operation against a key holding the wrong kind of value', 'stays', 'no answer'],
  ['ERR value READONLY is not an integer', 'stays', 'no answer'],
])('"%s": the connection %s, and the error is reported as: %s', (text, connection, told) => {
  const error = new ErrorReply(text);
  expect(isWrongServer(error)).toBe(connection === 'leaves');
  expect(unavailable(error) instanceof StoreRefusesWrites).toBe(told === 'refuses writes');
  // Wrapping an error a second time does not change it.
  expect(unavailable(unavailable(error))).toEqual(unavailable(error));
});
