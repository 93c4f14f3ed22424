// The floor: plain node:http that writes a prepared Buffer to every connected client. Arguments: size, writes per
// second.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const [bytes, perSecond] = process.argv.slice(2).map(Number);
const piece = Buffer.alloc(bytes ?? 0, 'x');
const open = new Set<ServerResponse>();
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  open.add(response);
  response.once('close', () => open.delete(response));
});
setInterval(
  () => {
    for (const response of open) response.write(piece);
  },
  1000 / (perSecond ?? 1),
);
server.listen(0, '127.0.0.1', () => console.log(`port ${(server.address() as AddressInfo).port}`));
