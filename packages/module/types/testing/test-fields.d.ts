import type { JsonObject } from '../description.ts';
import { type Fields, type Input } from '../fields/field.ts';
/** All problems come together, as at the exchange. */
export declare function refuse(problems: readonly string[]): void;
/** A copy, as a handler in its own thread gets: what it changes is its own. */
export declare function readOrRefuse<F extends Fields>(fields: F, sent: JsonObject): Input<F>;
