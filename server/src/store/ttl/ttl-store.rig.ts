import { expect } from 'vitest';
import type { TtlStore } from './ttl-store.ts';

/** A store under test, with a clock that the test controls. */
export interface TtlStoreRig {
  readonly store: TtlStore;
  /** The clock of the ends of keys. */
  readonly steady: { now(): number };
  /** Lets time pass, on all clocks. */
  advance(ms: number): Promise<void>;
  /** Sets the machine's clock forward or back; no time passes. */
  step(ms: number): void;
  /** Closes the store and opens it again on the same data. */
  reopen(): Promise<TtlStore>;
  stop(): Promise<void>;
}

/** Remaining times on a real server go on during a check; no check takes this long. */
export const slackMs = 10_000;
export const minute = 60_000;
export const hour = 60 * minute;

export const hostileTexts = [
  '',
  'with\nnewline\r\n*3\r\n$3\r\nSET',
  'nul\0inside',
  'quote\' " ` $x ]] -- ; DROP',
  'ünïcödé 🙂 \u{10ffff}',
  '{tag}*?[a-z]\\',
  'x'.repeat(100_000),
];

/** The store of the running test; `store` is replaced when it is reopened. */
export interface HeldStore {
  rig: TtlStoreRig;
  store: TtlStore;
}

export function expectNear(actual: number | undefined, expected: number): void {
  expect(actual).toBeLessThanOrEqual(expected);
  expect(actual).toBeGreaterThan(expected - slackMs);
}

/** Collects the keys and reports of a mirror. */
export function watch(store: TtlStore, prefix: string) {
  const keys = new Map<string, number>();
  const reports: [string, number | undefined][] = [];
  const mirror = store.mirror(prefix);
  mirror.listen((key, expiresAt) => {
    reports.push([key, expiresAt]);
    if (expiresAt === undefined) keys.delete(key);
    else keys.set(key, expiresAt);
  });
  return { keys, reports, settle: () => mirror.settle() };
}
