import { request } from 'node:http';
import { join } from 'node:path';
import { openPoller, type Poller } from '../measure/poller.ts';
import { API, type Service, startService } from '../service/service.ts';
import type { HistoryDatabase } from './database.ts';

export interface CdrService extends Service {
  /** One connection, one request at a time; the path comes without the API prefix. */
  get(path: string): Promise<{ ms: number; bytes: number }>;
  /** The engine ends this many legs per second from now on; resolves to the number ended so far. */
  pour(legsPerSecond: number): Promise<number>;
  /** Reads and discards a whole answer, calling `during` now and then. */
  download(path: string, during: () => void): Promise<{ ms: number; bytes: number; lines: number }>;
}

/** The service on its core, with an existing database. */
export async function startCdrService({ dataDir, settings }: HistoryDatabase): Promise<CdrService> {
  const service = await startService({
    program: join(import.meta.dirname, 'service.process.ts'),
    dataDir,
    settings: { PBXCORE_TIMEZONE: 'UTC', ...settings },
  });
  const { port, adminHeaders: headers } = service;
  let poller: Poller | undefined;

  return {
    ...service,
    async get(path) {
      poller ??= await openPoller({ port, path: API, headers });
      const reply = await poller.get(API + path);
      if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}`);
      return reply;
    },
    pour: async (legsPerSecond) => (await service.control(`/pour?${legsPerSecond}`)).poured,
    download: (path, during) =>
      new Promise((resolve, reject) => {
        const began = performance.now();
        let bytes = 0;
        let lines = 0;
        const sent = request({ port, host: '127.0.0.1', path: API + path, headers }, (answer) => {
          answer.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
            during();
          });
          answer.once('error', reject);
          answer.once('end', () => resolve({ ms: performance.now() - began, bytes, lines }));
        });
        sent.once('error', reject);
        sent.end();
      }),
    async stop() {
      poller?.close();
      await service.stop();
    },
  };
}
