import type { KeyValueStore } from '../description.ts';
/** A twin of the values that the exchange keeps for a module. */
export declare function createMemoryValues(warn: (text: string) => void): KeyValueStore;
