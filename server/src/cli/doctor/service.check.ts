import { request } from 'node:http';
import { type Finding, ok, problem } from '../../doctor/finding.ts';
import { healthFinding } from '../../doctor/service.check.ts';
import { reachable } from '../../http/asked-origin.ts';
import type { LocalPatient } from './local-patient.ts';

/** Asks the running service whether its stores answer. */
export async function checkService({ running }: LocalPatient): Promise<Finding[]> {
  if (!running) return [ok('the service is not running')];
  try {
    return [healthFinding(running.pid, await health(reachable(running.host), running.httpPort))];
  } catch (error) {
    return [
      problem(
        `the service (process ${running.pid}) runs, but does not answer on port ${running.httpPort}: ${(error as Error).message}`,
        'check its log and restart it',
      ),
    ];
  }
}

function health(host: string, port: number | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request({ host, port, path: '/health', agent: false, timeout: 5000 }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('timeout', () => asked.destroy(new Error('timed out after 5 s')));
    asked.on('error', reject);
    asked.end();
  });
}
