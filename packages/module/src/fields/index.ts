export { readAsked } from './asked-text.ts';
export { BrokenModule, isObject, must, shown } from './broken-module.ts';
export {
  type Checked,
  type CheckedOriginate,
  type CheckedTransfer,
  readCallId,
  readOriginate,
  readTransfer,
} from './call-orders.ts';
export { createDeclarations, type DeclaredFields, declareFields, unsentAsNull } from './declared-fields.ts';
export * from './field.ts';
export { fold } from './fold.ts';
export { DEFAULT_LIMIT, type Page, pageBounds, pageFields, pageOf } from './page.ts';
export { declareRaw, MAX_RAW_BYTES } from './raw-body.ts';
export {
  CUT_KEYS,
  cutList,
  listBounds,
  MAX_CHANGES,
  MAX_KEYS,
  MAX_LIST,
  MAX_LIST_BYTES,
  MAX_QUESTION_BYTES,
  MAX_QUESTION_VALUES,
  MAX_SEARCH,
  MAX_VALUE_BYTES,
  RECORD_ID,
  TOO_LARGE_PAGE,
  TOO_LONG_SEARCH,
} from './record-pages.ts';
export { createRecordRules, type RecordRow, type RecordValues } from './record-rules.ts';
export {
  MAX_MATCHED_LENGTH,
  MAX_OPTIONAL,
  MAX_VARIABLE,
  type Piece,
  readPieces,
  safePattern,
} from './safe-pattern.ts';
export { uniqueKey } from './unique-value.ts';
