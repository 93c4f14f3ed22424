import { once } from 'node:events';
import { connect } from 'node:net';
import { type RealRedis, startRedis } from '../../server/test/real/redis.ts';

export interface BenchRedis extends RealRedis {
  /** Writes as other programs would: inline commands whose words have no spaces and whose answer is one line. */
  send(commands: readonly string[]): Promise<void>;
}

/** A real Redis without the append-only file, which only tests that kill it need. */
export async function startBenchRedis(): Promise<BenchRedis> {
  const redis = await startRedis();
  await send(redis.port, ['CONFIG SET appendonly no']);
  return Object.assign(redis, { send: (commands: readonly string[]) => send(redis.port, commands) });
}

async function send(port: number, commands: readonly string[]): Promise<void> {
  if (commands.length === 0) return;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let answers = 0;
  const answered = new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (text.includes('-ERR')) reject(new Error(text));
      answers += text.split('\n').length - 1;
      if (answers === commands.length) resolve();
    });
  });
  socket.write(commands.map((command) => `${command}\r\n`).join(''));
  await answered;
  socket.destroy();
}
