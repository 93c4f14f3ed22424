import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  readonly body: any;
}

/** Sends bytes exactly as given and reads answers until there are enough or the server closes the connection. */
export function sendRaw(
  port: number,
  bytes: string | Buffer,
  { answers = 1, halfClose = false }: { answers?: number; halfClose?: boolean } = {},
): Promise<RawAnswer[]> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      if (halfClose) socket.end(bytes);
      else socket.write(bytes);
    });
    const done = () => {
      socket.destroy();
      resolve(readAnswers(received));
    };
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (readAnswers(received).length >= answers) done();
    });
    // A server that closes early may reset the connection during sending; what it answered before counts.
    socket.on('error', done);
    socket.on('end', done);
  });
}

function readAnswers(received: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = received;
  for (;;) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) return answers;
    const [first = '', ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n');
    const status = Number(first.split(' ')[1]);
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const begin = headEnd + 4;
    const length = Number(headers['content-length'] ?? 0);
    if (rest.length < begin + length) return answers;
    const text = rest.subarray(begin, begin + length).toString('utf8');
    rest = rest.subarray(begin + length);
    // "100 Continue" precedes the answer and does not count as one.
    if (status !== 100) answers.push({ status, headers, text, body: parsed(text) });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A request as text, with `Host` and the length of its body. */
export function rawRequest(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string {
  const all = {
    Host: 'localhost',
    ...(body !== '' && { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
