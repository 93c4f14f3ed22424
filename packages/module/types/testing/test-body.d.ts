import type { Call, JsonObject } from '../description.ts';
import type { CallOptions } from './test-call.ts';
type Sent = CallOptions['body'];
/** What a handler is given of a body that it takes as it came. `undefined`: it takes JSON. Throws what the exchange answers. */
export declare function rawBody(operation: object, sent: Sent, where: string): Pick<Call, 'raw' | 'text' | 'body'> | undefined;
export declare function jsonBody(sent: Sent): JsonObject;
/** As Node hands them on. */
export declare const lowerCased: (headers: Readonly<Record<string, string>>) => Record<string, string>;
export {};
