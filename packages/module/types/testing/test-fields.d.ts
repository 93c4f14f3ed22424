import type { FieldDescriptions, JsonObject } from '../description.ts';
/** `create`: required, defaults. `replace`: required, `null` where nothing was sent. `patch`: only what was sent. */
type Mode = 'create' | 'replace' | 'patch' | 'query';
/** Checks what was sent as the exchange does; all problems come together. */
export declare function readDeclared(fields: FieldDescriptions, sent: JsonObject, mode: Mode): JsonObject;
export {};
