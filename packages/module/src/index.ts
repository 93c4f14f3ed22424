export { answer } from './answer.ts';
export {
  type ActionOptions,
  action,
  type CreateOptions,
  create,
  list,
  type OperationOptions,
  patch,
  type ResourceClass,
  type ResourceOptions,
  read,
  remove,
  replace,
  resource,
  update,
} from './decorators.ts';
export { defineModule, type ModuleMaker, type ModuleParts } from './define-module.ts';
export type * from './description.ts';
export type { RecordOf } from './record-of.ts';
export {
  badRequest,
  conflict,
  forbidden,
  invalid,
  isRefusal,
  notFound,
  tooMany,
  unavailable,
} from './refusal.ts';
