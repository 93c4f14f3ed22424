import type { JsonObject } from '../description.ts';
import { type Fields, type Input, readSent } from '../fields/field.ts';
import { invalid } from '../refusal.ts';

/** All problems together, as in the exchange. */
export function refuse(problems: readonly string[]): void {
  const [first, ...others] = problems;
  if (first) throw invalid(first, ...others);
}

/** A copy, as a handler in its own process gets: its changes stay its own. */
export function readOrRefuse<F extends Fields>(fields: F, sent: JsonObject): Input<F> {
  const { values, problems } = readSent(fields, sent);
  refuse(problems);
  return structuredClone(values);
}
