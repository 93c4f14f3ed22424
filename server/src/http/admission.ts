import { Failure, Unauthorized } from '../lib/errors.ts';
import { checkAddress, checkLevel, isOpen } from './access.ts';
import { type Caller, callerName, type KeyCaller } from './caller.ts';
import type { Credential } from './credentials.ts';
import type { RateLimit } from './rate-limit.ts';
import { fullPath, type Route } from './route.ts';
import type { Router } from './router.ts';
import type { SourceAddress } from './source-address.ts';

/** Limits on requests (contract 1.8). */
export interface Limits {
  readonly anonymousLimit: RateLimit;
  readonly callerLimit: RateLimit;
}

interface AdmissionParts extends Limits {
  /** Resolves to `undefined` for an invalid credential; rejects when it cannot be checked. */
  readonly identify: (credential: Credential) => Promise<Caller | undefined>;
}

/** Contract 1.1, steps 2 to 5: credential, network filter, level, rate. `undefined` where no credential is needed. */
export async function admit(
  { identify, anonymousLimit, callerLimit }: AdmissionParts,
  { route, credential, source }: { route: Route; credential: Credential; source: SourceAddress },
): Promise<Caller | undefined> {
  if (isOpen(route.access, credential, source)) {
    if (!route.unlimited) anonymousLimit.spend(source.text);
    return undefined;
  }
  const caller = await identify(credential);
  if (!caller) {
    anonymousLimit.spend(source.text);
    throw new Unauthorized('a valid API key or token is required');
  }
  checkAddress(caller, source);
  checkLevel(route.access, caller);
  callerLimit.spend(callerName(caller));
  return caller;
}

/** The steps of contract 1.1 that decide about admission, in order. */
export const CHECKS = ['route', 'credential', 'networkFilter', 'level', 'rate'] as const;
type CheckName = (typeof CHECKS)[number];
export interface CheckOutcome {
  readonly check: CheckName;
  readonly passed: boolean;
  /** For a failed check, the error text of the refusal. */
  readonly explanation: string;
}

interface Question {
  readonly method: string;
  readonly path: string;
  readonly caller: KeyCaller;
  readonly source: SourceAddress;
}

/** What `admit` would do with a request with this key: the same checks, one by one, without counting the request. */
export function explainAdmission(
  { router, anonymousLimit, callerLimit }: Limits & { readonly router: Router },
  { method, path, caller, source }: Question,
): CheckOutcome[] {
  const outcomes: CheckOutcome[] = [];
  function judge<T>(check: CheckName, words: string, work: () => T): T | undefined {
    try {
      const value = work();
      outcomes.push({ check, passed: true, explanation: words });
      return value;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      outcomes.push({ check, passed: false, explanation: error.reasons.join('; ') });
      return undefined;
    }
  }

  const match = judge('route', 'there is such a route', () => router.find(method, path));
  // All other checks depend on the route.
  if (!match) return outcomes;
  const { route } = match;
  if (isOpen(route.access, { kind: 'api-key', token: '' }, source)) {
    const open = `${route.method} ${fullPath(route)} is open to everybody: the key is not checked`;
    for (const check of ['credential', 'networkFilter', 'level'] as const) judge(check, open, () => {});
    judge('rate', 'the address is within its limit', () => {
      if (!route.unlimited) anonymousLimit.check(source.text);
    });
    return outcomes;
  }
  judge('credential', 'the key is valid', () => {});
  judge('networkFilter', `the key may be used from ${source.text}`, () => checkAddress(caller, source));
  judge('level', 'the key may do this', () => checkLevel(route.access, caller));
  judge('rate', 'the key is within its limit', () => callerLimit.check(callerName(caller)));
  return outcomes;
}
