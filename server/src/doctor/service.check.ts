import { type Finding, ok, problem } from './finding.ts';

/** The finding for a running service's answer to `/health`. */
export function healthFinding(pid: number, status: number): Finding {
  const who = `the service (process ${pid})`;
  if (status === 200) return ok(`${who} runs and both its stores answer`);
  return problem(`${who} runs, but /health answers ${status}`, 'its log and the findings below say why');
}
