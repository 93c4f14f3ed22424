import { once } from 'node:events';
import { createServer } from 'node:net';
import { type Finding, ok, problem } from '../../doctor/finding.ts';
import { portTaken } from '../start-failure.ts';
import type { LocalPatient } from './local-patient.ts';

export async function checkPorts({ config, running }: LocalPatient): Promise<Finding[]> {
  const ports = [
    { variable: 'PBXCORE_HTTP_PORT', port: config.httpPort, held: running?.httpPort },
    { variable: 'PBXCORE_HTTPS_PORT', port: config.httpsPort, held: running?.httpsPort },
  ];
  const findings: Finding[] = [];
  for (const { variable, port, held } of ports) {
    if (port === undefined) continue;
    if (held !== undefined && (port === 0 || port === held))
      findings.push(ok(`port ${held} (${variable}) is used by the running service`));
    else findings.push(await tryPort(config.host, port, variable));
  }
  return findings;
}

async function tryPort(host: string, port: number, variable: string): Promise<Finding> {
  if (port === 0) return ok(`${variable}=0: any free port is used`);
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return ok(`port ${port} (${variable}) is free`);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      const { text, remedy } = portTaken(variable, port);
      return problem(text, remedy);
    }
    const remedy =
      code === 'EACCES'
        ? `set ${variable} to a port from 1024 up`
        : 'set PBXCORE_HTTP_HOST to an address of this machine, or 0.0.0.0 for all';
    return problem(`cannot listen on port ${port} of ${host}: ${message}`, remedy);
  } finally {
    server.close();
  }
}
