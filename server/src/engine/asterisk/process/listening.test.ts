import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { missingTransports, requirePorts } from './listening.ts';

const shown = (...protocols: string[]) =>
  [
    'Transport:  <TransportId........>  <Type>  <cos>  <tos>  <BindAddress....................>',
    ...protocols.map(
      (name) => `Transport:  transport-${name}             ${name}      0      0  127.0.0.1:5060`,
    ),
  ].join('\n');

test('of UDP and TCP, the transport that the engine does not listen on is reported as missing', () => {
  expect(missingTransports(shown('tls', 'udp', 'tcp'))).toEqual([]);
  expect(missingTransports(shown('tls', 'tcp'))).toEqual(['UDP']);
  expect(missingTransports(shown('udp'))).toEqual(['TCP']);
  expect(missingTransports('No objects found.')).toEqual(['UDP', 'TCP']);
});

test('ports that another program uses are named with their purpose before the engine starts', async () => {
  // An address of its own: on 127.0.0.1, connections of other tests may take the ports.
  const sipHost = '127.7.19.3';
  const server = createServer().listen(0, sipHost);
  const socket = createSocket('udp4').bind(0, sipHost);
  await Promise.all([once(server, 'listening'), once(socket, 'listening')]);
  const tcpPort = (server.address() as AddressInfo).port;
  const udpPort = socket.address().port;
  const tried = (sipPort: number, tlsPort: number) => requirePorts({ sipHost, sipPort, tlsPort });
  await expect(tried(tcpPort, udpPort)).rejects.toThrow(`SIP port ${tcpPort} (TCP):`);
  await expect(tried(udpPort, tcpPort)).rejects.toThrow(`SIP port ${udpPort} (UDP):`);
  socket.close();
  await expect(tried(udpPort, tcpPort)).rejects.toThrow(`SIP port ${tcpPort} (TLS):`);
  server.close();
  await once(server, 'close');
  await tried(udpPort, tcpPort);
});
