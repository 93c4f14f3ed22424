import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openPoller, type Poller } from '../measure/poller.ts';
import { fillEmployees } from '../service/employees.ts';
import { API, type Service, startService } from '../service/service.ts';

export interface StatusService extends Service {
  /** Number of requests to the engine so far. */
  questions(): Promise<number>;
  /** Changes this many registrations per second from now on. */
  move(perSecond: number): Promise<void>;
  /** Opens connections, each with its own API key. */
  pollers(count: number, headers?: Readonly<Record<string, string>>): Promise<Poller[]>;
}

/** The service on its core with this many employees, nine of ten of whom have a phone. */
export async function startStatusService(
  employees: number,
  settings: Readonly<Record<string, string>>,
): Promise<StatusService> {
  const program = join(import.meta.dirname, 'service.process.ts');
  const service = await startService({ program, settings });
  const { port, control } = service;
  await fillEmployees(service.call, 0, employees);
  for (let tries = 0; (await control('/asked')).extensions < employees && tries < 200; tries++)
    await wait(50);
  await control('/register');

  const keys: string[] = [];
  return {
    ...service,
    questions: async () => (await control('/asked')).asked,
    move: (perSecond) => control(`/move?${perSecond}`),
    async pollers(count, headers = {}) {
      // All keys first: a connection that idles until the next key is made may be closed.
      while (keys.length < count) keys.push(await service.createKey('/api/v3/sip'));
      const path = `${API}/sip:getStatuses`;
      const open = (key: string) => openPoller({ port, path, headers: { 'x-api-key': key, ...headers } });
      return Promise.all(keys.slice(0, count).map(open));
    },
  };
}
