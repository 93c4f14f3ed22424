import type { TestApp } from './make-app.ts';

/** Answers per route and status, keyed like `POST /firewall:banIp 403`; for callers who do not read their answers. */
export async function answerCounts(app: TestApp): Promise<Map<string, number>> {
  const { text } = await app.call('GET', '/../../../metrics', { token: await app.admin() });
  const lines = text.matchAll(
    /^pbxcore_http_request_seconds_count\{method="(\w+)",route="(.*)",status="(\d+)"\} (\d+)$/gm,
  );
  return new Map(
    [...lines].map(([, method, route, status, count]) => [`${method} ${route} ${status}`, Number(count)]),
  );
}

/** Answers counted between two readings. */
export const answeredBetween = (
  before: Map<string, number>,
  after: Map<string, number>,
): Map<string, number> =>
  new Map(
    [...after]
      .map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const)
      .filter(([, more]) => more > 0),
  );
