import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { Overloaded } from '../../../lib/errors.ts';
import { createPasswordThread } from './password-thread.ts';
import { hashOfNobody, PASSWORD_COST } from './passwords.ts';

const file = new URL('./password.worker.ts', import.meta.url);
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const thread of open.splice(0)) await thread.close();
});

function startThread(startWorker = () => new Worker(file)) {
  const workers: Worker[] = [];
  const errors: unknown[] = [];
  const thread = createPasswordThread({
    cost: PASSWORD_COST,
    onError: (error) => errors.push(error),
    startWorker() {
      workers.push(startWorker());
      return workers.at(-1) as Worker;
    },
  });
  open.push(thread);
  return { thread, workers, errors };
}

test('a hash has its own salt and matches only its own password', async () => {
  const { thread, workers } = startThread();
  const hash = String(await thread.run({ password: 'right' }));
  expect(hash).toMatch(/^argon2id\$19456\$2\$1\$/);
  expect(await thread.run({ password: 'right' })).not.toBe(hash);
  expect(await thread.run({ password: 'right', hash })).toBe(true);
  expect(await thread.run({ password: 'wrong', hash })).toBe(false);
  expect(await thread.run({ password: '', hash: hashOfNobody(PASSWORD_COST) })).toBe(false);
  expect(workers, 'started once').toHaveLength(1);
});

test('an unreadable hash fails only its own task', async () => {
  const { thread, workers } = startThread();
  await expect(thread.run({ password: 'x', hash: 'nonsense' })).rejects.toThrow();
  expect(await thread.run({ password: 'x', hash: hashOfNobody(PASSWORD_COST) })).toBe(false);
  expect(workers).toHaveLength(1);
});

test('a task whose thread dies is refused as overload, and the next task starts the thread again', async () => {
  const { thread, workers } = startThread();
  const task = thread.run({ password: 'x' });
  const refused = expect(task).rejects.toThrow(Overloaded);
  await workers[0]?.terminate();
  await refused;
  expect(await thread.run({ password: 'x', hash: hashOfNobody(PASSWORD_COST) })).toBe(false);
  expect(workers).toHaveLength(2);
});

test('a thread that cannot start refuses each task and reports why', async () => {
  const { thread, errors } = startThread(() => new Worker('throw new Error("broken")', { eval: true }));
  for (let n = 0; n < 2; n++) await expect(thread.run({ password: 'x' })).rejects.toThrow(Overloaded);
  expect(errors).toEqual([new Error('broken'), new Error('broken')]);
});

test('a closed thread refuses new tasks and the one under way', async () => {
  const { thread } = startThread();
  const refused = expect(thread.run({ password: 'x' })).rejects.toThrow(Overloaded);
  await thread.close();
  await refused;
  await expect(thread.run({ password: 'x' })).rejects.toThrow('stopping');
});
