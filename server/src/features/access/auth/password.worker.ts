import { parentPort } from 'node:worker_threads';
import type { PasswordReply, PasswordTask } from './password-thread.ts';
import { hashPassword, isPassword, type PasswordCost } from './passwords.ts';

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread');

port.on('message', (task: PasswordTask & { cost: PasswordCost }) => {
  port.postMessage(answer(task));
});

function answer({ password, hash, cost }: PasswordTask & { cost: PasswordCost }): PasswordReply {
  try {
    return { result: hash === undefined ? hashPassword(password, cost) : isPassword(password, hash) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
