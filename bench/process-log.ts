import type { AppOptions } from '../server/src/app.ts';

const silent = () => {};

/** For a service inside a benchmark: what goes wrong is seen, the rest costs nothing. */
export const processLog = {
  error: console.error,
  warn: console.error,
  info: silent,
  debug: silent,
} as unknown as AppOptions['log'];
