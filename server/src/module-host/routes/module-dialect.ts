import type { Dialect } from '../../http/dialect.ts';

/** Contract 1.2, 9.1: `success` says the same as `result`, and a failed validation is 422. */
export const MODULE_DIALECT: Dialect = {
  name: 'Module',
  errorDescription: 'An error of a module: `success` says the same as `result`.',
  // Only modules answer below these paths (contract 9).
  covers: (path) => /^\/pbxcore\/api\/(v3\/module-|modules\/)/.test(path),
  hasSuccess: true,
  refusesWith422: true,
  namesByPath: true,
};
