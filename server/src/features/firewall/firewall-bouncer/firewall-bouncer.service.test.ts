import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { AS_SPECIFIED } from '../../../lib/bouncer-options.ts';
import { StoreUnavailable } from '../../../lib/errors.ts';
import { createEmbeddedTtlStore } from '../../../store/ttl/embedded-ttl-store.ts';
import { CURSOR_LIFETIME_MS, createCursorStore } from './cursors.store.ts';
import { createDecisionFeed } from './decision-feed.ts';
import { createFirewallBouncer } from './firewall-bouncer.service.ts';

const START = Date.parse('2026-01-01T12:00:00Z');

/** A node whose store behaves like Redis: each read of a position is a request. */
async function openNode() {
  let now = START;
  let isAway = false;
  const clock = { now: () => now };
  const folder = mkdtempSync(join(tmpdir(), 'bouncer-'));
  const ttl = await createEmbeddedTtlStore({ file: join(folder, 'ttl'), clock, steady: clock, onError() {} });
  onTestFinished(async () => {
    await ttl.close();
    rmSync(folder, { recursive: true });
  });
  const settle = async () => {
    if (isAway) throw new StoreUnavailable('the bans cannot be read');
  };
  const never = () => {};
  const feed = createDecisionFeed({
    bans: { listen: never, settle } as never,
    filters: { denied: () => [], onChange: never, settle } as never,
    allowList: { entries: () => [], onChange: never, settle } as never,
    clock,
  });
  const cursors = createCursorStore({ ttl: { ...ttl, kind: 'redis' }, redisPrefix: 'test' });
  const bouncer = createFirewallBouncer({ feed, cursors, onError: never });
  return {
    cursors,
    setAway: (away: boolean) => {
      isAway = away;
    },
    advance: (ms: number) => {
      now += ms;
    },
    async poll(): Promise<void> {
      const request = { cursorId: '1', options: AS_SPECIFIED, startup: false, ifNoneMatch: undefined };
      (await bouncer.poll(request)).finish(true);
    },
  };
}

test('contract 8.4: a poll that cannot be answered still renews the lifetime of its cursor', async () => {
  const node = await openNode();
  await node.poll();
  node.setAway(true);
  for (let minutes = 0; minutes < 120; minutes += 30) {
    node.advance(CURSOR_LIFETIME_MS / 2);
    await expect(node.poll()).rejects.toThrow('the bans cannot be read');
    await setImmediate();
  }
  expect(await node.cursors.read('1', 'others')).toBeDefined();
});
