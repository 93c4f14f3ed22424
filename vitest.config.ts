import { defineConfig } from 'vitest/config';
import { createTestReporter } from './scripts/test-reporter.ts';

/**
 * What is no part of `npm test -- fast`, so that it stays one for every day: files that take more than five seconds, and
 * those that say nothing without PostgreSQL and Redis.
 */
const SLOW = [
  'ami.chaos',
  'cdr-export',
  'cdr-export-places',
  'cdr-hostile',
  'cdr-other-tools',
  'cdr-searches',
  'closing',
  'embedded-ttl-store',
  'embedded-ttl-store.disk',
  'employees-hostile',
  'employees-nodes',
  'engine-sync',
  'event-stream-nodes',
  'event-stream-property',
  'filter-nodes',
  'key-strength-property',
  'login-guesses',
  'modules-hostile',
  'modules-life',
  'modules-searches',
  'no-defects',
  'rate-limits',
  'redis-event-log',
  'reset-callers',
  'sip-nodes',
  'slow-readers',
  'sound-files',
  'sound-uploads',
  'sql-store',
  'stream-property',
  'unread-bodies',
];
const slowFiles = SLOW.map((name) => `server/**/${name}.test.ts`);

/** Floods, and what depends on how quickly phones are answered: these need the machine for themselves. */
const ALONE = [
  'contract/fuzz',
  'telephony/attacks',
  'telephony/calls',
  'telephony/dying-phones',
  'telephony/many-calls',
  'telephony/toll-fraud',
];
const aloneFiles = ALONE.map((name) => `server/test/${name}.test.ts`);

export default defineConfig({
  test: {
    reporters: [createTestReporter()],
    pool: 'forks',
    maxWorkers: 2,
    // Far above what anything takes: a busy machine must not make a test fail.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: [
            'packages/*/src/**/*.test.ts',
            'server/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'web/src/**/*.test.ts',
          ],
          exclude: slowFiles,
        },
      },
      {
        extends: true,
        test: {
          name: 'acceptance',
          include: ['server/test/acceptance/**/*.test.ts'],
          exclude: slowFiles,
          // Loading the service anew for each file takes half of the time, so many files share a process.
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'slow', include: slowFiles },
      },
      {
        // Real clients, real servers, network namespaces.
        extends: true,
        test: {
          name: 'real-parts',
          include: ['server/test/contract/**/*.test.ts'],
          exclude: aloneFiles,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // A real browser before the real service.
        extends: true,
        test: {
          name: 'page',
          include: ['web/test/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Phones and providers around the whole product with its Asterisk. They mostly wait for each other, so three files
        // run at a time.
        extends: true,
        test: {
          name: 'telephony',
          include: ['server/test/telephony/**/*.test.ts'],
          exclude: aloneFiles,
          maxWorkers: 3,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: aloneFiles,
          fileParallelism: false,
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
