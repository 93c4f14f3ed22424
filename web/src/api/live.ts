import { followEvents } from '@pbxcore/client/events';
import { useSyncExternalStore } from 'react';
import { session } from './api.ts';
import { applyEvent } from './live-cache.ts';
import { queryClient } from './query-client.ts';

export interface Live {
  readonly state: 'open' | 'connecting' | 'reconnecting';
  /** The time up to which the data on the screen are known to be current. */
  readonly asOf: number;
}

/** After an end from which the follower does not recover itself. */
const BEGIN_AGAIN_MS = 10_000;

let live: Live = { state: 'connecting', asOf: Date.now() };
let following: AbortController | undefined;
const listeners = new Set<() => void>();

export const useLive = (): Live =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => live,
  );

/** Without a stream, data on the screen are refetched every ten seconds. */
export const useFallbackInterval = (): number | false => (useLive().state === 'open' ? false : 10_000);

function show(next: Live): void {
  live = next;
  for (const listener of listeners) listener();
}

/** One stream for the whole page, as long as somebody is signed in. */
export function followLive(): void {
  const adjust = () => {
    const { state } = session.view();
    if (state === 'in' && !following) begin();
    else if (state === 'out') end();
  };
  session.subscribe(adjust);
  adjust();
}

function begin(): void {
  following = new AbortController();
  const { signal } = following;
  followEvents({
    url: location.origin,
    // The session's own fetch adds the token, and renews it.
    credential: () => undefined,
    fetch: session.fetch,
    signal,
    onEvent: (event) => {
      applyEvent(queryClient, event);
    },
    onState: (next) => {
      // The service may have been upgraded, with another page.
      if (next.state === 'open') void queryClient.invalidateQueries({ queryKey: ['page'] });
      const heardAt = next.state === 'reconnecting' ? next.lastByteAt : undefined;
      show({ state: next.state, asOf: next.state === 'open' ? Date.now() : (heardAt ?? live.asOf) });
    },
  }).catch(() => {
    if (signal.aborted) return;
    show({ state: 'reconnecting', asOf: live.asOf });
    setTimeout(() => !signal.aborted && begin(), BEGIN_AGAIN_MS);
  });
}

function end(): void {
  following?.abort();
  following = undefined;
  queryClient.clear();
  show({ state: 'connecting', asOf: Date.now() });
}
