import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { hostOf } from './address-guard.js';

const MAX_ANSWER_BYTES = 64 * 1024;

/**
 * Sends one request and returns the status. Redirects are not followed: they could lead where the target may not. No
 * proxy, no kept-alive connection; the certificate is checked.
 *
 * @returns {Promise<{ status: number, retryAfter: string | undefined }>}
 */
export function post({ url: text, body, headers, guard, timeoutMs }) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const problem = guard.urlProblem(text);
  if (problem) return Promise.reject(new Error(problem));
  const url = new URL(text);
  const deadline = AbortSignal.timeout(timeoutMs);
  const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(
    {
      host: hostOf(url),
      port: url.port || undefined,
      path: url.pathname + url.search,
      method: 'POST',
      agent: false,
      lookup: guard.lookup,
      signal: deadline,
      headers: { ...headers, 'content-length': Buffer.byteLength(body), host: url.host },
      servername: hostOf(url),
    },
    (answer) => {
      let bytes = 0;
      answer.on('data', (chunk) => {
        bytes += chunk.length;
        // The body is not used; a target that never stops sending is cut off.
        if (bytes > MAX_ANSWER_BYTES) finish();
      });
      answer.on('end', finish);
      answer.on('error', finish);
      function finish() {
        resolve({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] });
        request.destroy();
      }
    },
  );
  request.on('error', (error) =>
    reject(deadline.aborted ? new Error(`no answer within ${timeoutMs / 1000} s`) : error),
  );
  request.end(body);
  return promise;
}
