import { once } from 'node:events';
import { connect } from 'node:net';
import { type RealRedis, startRedis } from '../../server/test/real/redis.ts';
import { type BenchBan, banKey } from './bans.ts';

export interface BenchRedis extends RealRedis {
  write(bans: readonly BenchBan[]): Promise<void>;
  lift(bans: readonly BenchBan[]): Promise<void>;
}

/** A real Redis, written to as other programs write to it. */
export async function startBenchRedis(): Promise<BenchRedis> {
  const redis = await startRedis();
  // A log of every write is for tests that kill the server.
  await send(redis.port, ['CONFIG SET appendonly no']);
  return Object.assign(redis, {
    write: (bans: readonly BenchBan[]) =>
      send(
        redis.port,
        bans.map((ban) => `SET ${banKey(ban)} 1 EX ${ban.seconds}`),
      ),
    lift: (bans: readonly BenchBan[]) =>
      send(
        redis.port,
        bans.map((ban) => `DEL ${banKey(ban)}`),
      ),
  });
}

/** Commands without blanks in their words may be sent as plain lines; each answer here is one line. */
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
