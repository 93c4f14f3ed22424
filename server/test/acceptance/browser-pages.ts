import { sendRaw } from './raw-http.ts';

/** Header lines that browsers add to a page's requests, and whether a route with any body counts them as local. */
export const PAGES: readonly [what: string, lines: readonly string[], isLetIn: boolean][] = [
  ['a program', [], true],
  ['a page of the service itself', ['Origin: http://localhost:PORT', 'Sec-Fetch-Site: same-origin'], true],
  ['a page of another site', ['Origin: https://attacker.example', 'Sec-Fetch-Site: cross-site'], false],
  ['the same in a browser without Sec-Fetch-Site', ['Origin: https://attacker.example'], false],
  ['a page that hides where it is from', ['Origin: null'], false],
  ['a page whose origin was left out', ['Sec-Fetch-Site: cross-site'], false],
  ['a page on another port here', ['Origin: http://localhost:3000', 'Sec-Fetch-Site: same-site'], false],
  ['the same in a browser without Sec-Fetch-Site', ['Origin: http://localhost:3000'], false],
  ['the same over HTTPS', ['Origin: https://localhost:PORT'], false],
  ['a page on another port whose origin was left out', ['Sec-Fetch-Site: same-site'], false],
];

/** Body types that a browser sends for any page without a preflight request. */
export const SIMPLE = [
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  '',
];

/** Sends what a browser would: a GET without a body, any other method with a form or text. */
export async function sendAsPage(
  port: number,
  [method, path]: readonly [method: string, path: string],
  lines: readonly string[],
  type = '',
) {
  const body = method === 'GET' ? '' : 'a=b';
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: localhost:${port}`,
    ...(type ? [`Content-Type: ${type}`] : []),
    ...lines,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  const [answer] = await sendRaw(port, [...head, '', body].join('\r\n').replaceAll('PORT', String(port)));
  return answer;
}
