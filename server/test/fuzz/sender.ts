import { Agent, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Answer } from '../make-app.ts';
import type { FuzzRequest } from './requests.ts';

/** Sends over a few keep-alive connections. `fetch` would correct or refuse some of these requests. */
export function createSender({ port, connections }: { port: number; connections: number }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  const send = ({ method, path, headers, body }: FuzzRequest): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, agent, method, path, headers, timeout: 20_000 });
      // Node sets the length itself, but not for DELETE.
      if (body !== undefined) sent.setHeader('content-length', Buffer.byteLength(body));
      sent.on('response', async (response) => {
        try {
          const chunks: Buffer[] = [];
          // An event stream never ends; only its head is read.
          const isEndless = response.headers['content-type']?.startsWith('text/event-stream');
          for await (const chunk of isEndless ? [] : response) chunks.push(chunk);
          if (isEndless) response.destroy();
          const bytes = Buffer.concat(chunks);
          const isPacked = response.headers['content-encoding'] === 'gzip' && bytes.length > 0;
          const text = (isPacked ? gunzipSync(bytes) : bytes).toString();
          const known = new Headers();
          for (const [name, values] of Object.entries(response.headersDistinct))
            for (const value of values ?? []) known.append(name, value);
          const isJson = known.get('content-type')?.startsWith('application/json') && text !== '';
          resolve({
            status: response.statusCode ?? 0,
            headers: known,
            text,
            body: isJson ? JSON.parse(text) : undefined,
          });
        } catch (error) {
          reject(error);
        }
      });
      sent.on('timeout', () => sent.destroy(new Error('no answer in 20 s')));
      sent.on('error', reject);
      sent.end(body);
    });

  return { send, close: () => agent.destroy() };
}
