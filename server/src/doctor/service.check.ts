import { type Finding, ok, problem } from './finding.ts';

/** What the answer of `/health` says about a service that runs. */
export function healthFinding(pid: number, status: number): Finding {
  const who = `the service (process ${pid})`;
  if (status === 200) return ok(`${who} runs and both its stores answer`);
  return problem(`${who} runs, but /health answers ${status}`, 'its log and the findings below say why');
}
