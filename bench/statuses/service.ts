import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openPoller, type Poller } from '../measure/poller.ts';
import { fillEmployees } from '../service/employees.ts';
import { API, type Service, startService } from '../service/service.ts';

export interface StatusService extends Service {
  /** What the engine was asked so far. */
  questions(): Promise<number>;
  /** So many registrations change in each second from now on. */
  move(perSecond: number): Promise<void>;
  /** Connections, each with an API key of its own. */
  pollers(count: number, headers?: Readonly<Record<string, string>>): Promise<Poller[]>;
}

/** The service on its core, with so many employees; nine of ten have a phone. */
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
      // All keys first: a connection that waits idle for the next key may be closed meanwhile.
      while (keys.length < count) keys.push(await service.createKey('/api/v3/sip'));
      const path = `${API}/sip:getStatuses`;
      const open = (key: string) => openPoller({ port, path, headers: { 'x-api-key': key, ...headers } });
      return Promise.all(keys.slice(0, count).map(open));
    },
  };
}
