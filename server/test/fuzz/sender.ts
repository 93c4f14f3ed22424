import { Agent, request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { Answer } from '../make-app.ts';
import type { FuzzRequest } from './requests.ts';

/** Sends over a few connections that stay open. `fetch` would mend or refuse part of what is sent here. */
export function createSender({ port, connections }: { port: number; connections: number }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  const send = ({ method, path, headers, body }: FuzzRequest): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, agent, method, path, headers, timeout: 20_000 });
      // Node tells the length by itself, but not with DELETE.
      if (body !== undefined) sent.setHeader('content-length', Buffer.byteLength(body));
      sent.on('response', async (response) => {
        try {
          const chunks: Buffer[] = [];
          // A stream of events has no end of its own: its head is the answer.
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
