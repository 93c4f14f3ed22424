import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    // Far above what anything takes: a busy machine must not make a test fail.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: [
            'packages/*/src/**/*.test.ts',
            'server/src/**/*.test.ts',
            'scripts/**/*.test.ts',
            'server/test/acceptance/**/*.test.ts',
          ],
        },
      },
      {
        // Real clients, real servers, network namespaces: one file at a time, after everything else.
        extends: true,
        test: {
          name: 'real-parts',
          include: ['server/test/contract/**/*.test.ts'],
          fileParallelism: false,
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Phones, providers and attackers around the whole product with its Asterisk: they need the machine for themselves.
        extends: true,
        test: {
          name: 'telephony',
          include: ['server/test/telephony/**/*.test.ts'],
          fileParallelism: false,
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
