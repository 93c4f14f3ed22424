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
  'data-places.store',
  'embedded-ttl-store',
  'embedded-ttl-store.disk',
  'employees-hostile',
  'employees-nodes',
  'engine-sync',
  'example-phone-book-full',
  'event-stream-nodes',
  'event-stream-property',
  'filter-nodes',
  'key-strength-property',
  'login-guesses',
  'module-data-moves',
  'module-record-stores',
  'module-versions',
  'modules-accepted',
  'modules-broken',
  'modules-calm',
  'modules-hostile',
  'modules-hostile-answers',
  'modules-hostile-documents',
  'modules-hostile-ends',
  'modules-hostile-floods',
  'modules-hostile-reach',
  'modules-install',
  'modules-life',
  'modules-nodes',
  'modules-open-routes',
  'modules-removal',
  'modules-searches',
  'modules-settings',
  'modules-shown',
  'modules-unread-answers',
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
  'telephony/many-calls',
  'telephony/toll-fraud',
];
const aloneFiles = ALONE.map((name) => `server/test/${name}.test.ts`);

/**
 * For tests that start the whole service. Node runs them as it runs the service, since preparing each file for vite takes
 * a second of processor time; and files share a process, since loading the service takes another one or two.
 */
const wholeService = { experimental: { viteModuleRunner: false, nodeLoader: false }, isolate: false };

export default defineConfig({
  test: {
    reporters: [createTestReporter()],
    pool: 'forks',
    maxWorkers: 2,
    // Far above what anything takes: a busy machine must not make a test fail.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // As long as `eventually` waits, not the second that is usual.
    expect: { poll: { timeout: 30_000 } },
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
          ...wholeService,
          include: ['server/test/acceptance/**/*.test.ts'],
          exclude: slowFiles,
        },
      },
      {
        extends: true,
        test: { name: 'slow', ...wholeService, include: slowFiles },
      },
      {
        // Real clients, real servers, network namespaces. They wait a third of the time, so three files run at a time.
        extends: true,
        test: {
          name: 'real-parts',
          ...wholeService,
          include: ['server/test/contract/**/*.test.ts'],
          exclude: aloneFiles,
          maxWorkers: 3,
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
          ...wholeService,
          include: ['web/test/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Phones and providers around the whole product with its Asterisk. They mostly wait for each other, so four files
        // run at a time.
        extends: true,
        test: {
          name: 'telephony',
          ...wholeService,
          include: ['server/test/telephony/**/*.test.ts'],
          exclude: aloneFiles,
          maxWorkers: 4,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          ...wholeService,
          isolate: true,
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
