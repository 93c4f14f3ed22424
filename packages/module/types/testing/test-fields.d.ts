import type { JsonObject } from '../description.ts';
import { type Fields, type Input } from '../fields/field.ts';
/** All problems together, as in the exchange. */
export declare function refuse(problems: readonly string[]): void;
/** A copy, as a handler in its own process gets: its changes stay its own. */
export declare function readOrRefuse<F extends Fields>(fields: F, sent: JsonObject): Input<F>;
