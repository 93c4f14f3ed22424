import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { transportName } from '../config/pjsip-employee.ts';
import type { Site } from '../site.ts';

/**
 * Protocols missing in the answer to `pjsip show transports`: another program has the port, so phones cannot use them.
 */
export const missingTransports = (shown: string): string[] =>
  (['udp', 'tcp'] as const)
    .filter((protocol) => !new RegExp(`\\s${transportName(protocol)}\\s`).test(shown))
    .map((protocol) => protocol.toUpperCase());

export const cannotListen = (port: number | undefined, over: readonly string[]): string =>
  `it cannot listen on SIP port ${port} (${over.join(', ')}): does another program use it?`;

/**
 * Throws, in words for the operator, if an engine that starts now would not get its ports. For the TLS port, the engine
 * itself would not report it.
 */
export async function requirePorts({
  sipHost,
  sipPort,
  tlsPort,
}: Pick<Site, 'sipHost' | 'sipPort' | 'tlsPort'>): Promise<void> {
  const taken: string[] = [];
  if (!(await isFreeUdp(sipHost, sipPort))) taken.push('UDP');
  if (!(await isFreeTcp(sipHost, sipPort))) taken.push('TCP');
  if (taken.length > 0) throw new Error(cannotListen(sipPort, taken));
  if (!(await isFreeTcp(sipHost, tlsPort))) throw new Error(cannotListen(tlsPort, ['TLS']));
}

async function isFreeUdp(host: string, port: number): Promise<boolean> {
  const socket = createSocket('udp4').bind(port, host);
  const isFree = await happens(once(socket, 'listening'));
  const closed = once(socket, 'close');
  socket.close();
  await closed;
  return isFree;
}

async function isFreeTcp(host: string, port: number): Promise<boolean> {
  const server = createServer().listen(port, host);
  const isFree = await happens(once(server, 'listening'));
  if (isFree) await new Promise((resolve) => server.close(resolve));
  return isFree;
}

const happens = (event: Promise<unknown>): Promise<boolean> =>
  event.then(
    () => true,
    () => false,
  );
