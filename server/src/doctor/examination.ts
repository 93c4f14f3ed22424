import { reasonOf } from '../lib/reason-of.ts';
import { type Finding, type Patient, problem } from './finding.ts';

/** A finding with the name of its check, which may have several. */
export interface NamedFinding extends Finding {
  readonly id: string;
}

export type Check<P extends Patient> = (patient: P) => Finding[] | Promise<Finding[]>;

/** Runs all checks, each under a name that people understand. */
export async function examine<P extends Patient>(
  checks: Readonly<Record<string, Check<P>>>,
  patient: P,
): Promise<NamedFinding[]> {
  const findings: NamedFinding[] = [];
  // One after the other: they open the same files.
  for (const [name, check] of Object.entries(checks))
    findings.push(...named(name, await findingsOf(name, check, patient)));
  return findings;
}

/** `data directory` is `data-directory`. */
export const named = (name: string, findings: readonly Finding[]): NamedFinding[] =>
  findings.map((finding) => ({ id: name.toLowerCase().replaceAll(' ', '-'), ...finding }));

async function findingsOf<P extends Patient>(name: string, check: Check<P>, patient: P): Promise<Finding[]> {
  try {
    return await check(patient);
  } catch (error) {
    return [
      problem(`${name}: could not be checked: ${reasonOf(error)}`, 'remove the cause, then check again'),
    ];
  }
}
