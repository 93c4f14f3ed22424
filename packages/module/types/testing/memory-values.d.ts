import type { KeyValueStore } from '../description.ts';
/** A test double of the values that the exchange stores for a module. */
export declare function createMemoryValues(warn: (text: string) => void): KeyValueStore;
