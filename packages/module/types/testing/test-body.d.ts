import type { Call, JsonObject } from '../description.ts';
import type { CallOptions } from './test-call.ts';
type Sent = CallOptions['body'];
/** What a handler gets of a raw body. `undefined`: it takes JSON. Throws what the exchange would answer. */
export declare function rawBody(operation: object, sent: Sent, where: string): Pick<Call, 'raw' | 'text' | 'body'> | undefined;
export declare function jsonBody(sent: Sent): JsonObject;
/** As Node passes them. */
export declare const lowerCased: (headers: Readonly<Record<string, string>>) => Record<string, string>;
export {};
