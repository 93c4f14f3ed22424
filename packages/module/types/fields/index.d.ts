export { BrokenModule, isObject, must, shown } from './broken-module.ts';
export { type DeclaredFields, declareFields, unsentAsNull } from './declared-fields.ts';
export * from './field.ts';
export { DEFAULT_LIMIT, type Page, pageBounds, pageFields, pageOf } from './page.ts';
export { createRecordRules, fold, type RecordRow, type RecordValues } from './record-rules.ts';
export { MAX_MATCHED_LENGTH, MAX_OPTIONAL, MAX_VARIABLE, type Piece, readPieces, safePattern, } from './safe-pattern.ts';
