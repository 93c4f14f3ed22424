import { request } from 'node:http';
import { reachable } from '../../http/asked-origin.ts';
import { type Finding, ok, type Patient, problem } from './finding.ts';

/** Asks the running service whether its stores answer. */
export async function checkService({ running }: Patient): Promise<Finding[]> {
  if (!running) return [ok('the service does not run')];
  const who = `the service (process ${running.pid})`;
  try {
    const status = await health(reachable(running.host), running.httpPort);
    if (status === 200) return [ok(`${who} runs and both its stores answer`)];
    return [problem(`${who} runs, but /health answers ${status}`, 'its log and the findings below say why')];
  } catch (error) {
    return [
      problem(
        `${who} runs, but does not answer on port ${running.httpPort}: ${(error as Error).message}`,
        'look at its log and restart it',
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
    asked.on('timeout', () => asked.destroy(new Error('nothing within 5 s')));
    asked.on('error', reject);
    asked.end();
  });
}
