import { parseAddress } from '../../../lib/network.ts';
import { shownText } from '../../../lib/shown-text.ts';
import type { AuthFailed, EngineEvent } from '../../events.ts';
import { PLAIN_DOMAIN } from '../config/pjsip-employee.ts';
import type { Ami, AmiMessage } from '../control/ami.ts';

const CATEGORIES: ReadonlyMap<string, AuthFailed['category']> = new Map([
  ['PJSIP', 'sip'],
  ['SIP', 'sip'],
  ['AMI', 'ami'],
  ['IAX2', 'iax'],
]);
/** The secret was wrong: nothing that comes later changes that. */
const WRONG = new Set(['ChallengeResponseFailed', 'InvalidPassword']);
/** The account is unknown or may not be used from there. Also sent without credentials, so it may yet succeed. */
const UNKNOWN = new Set(['InvalidAccountID', 'FailedACL']);

/** A login at an account without one, under our own name for it: somebody in a range of a provider (contract 17.9). */
const AT_PROVIDER = /^RequestNotSupported SIP-/;

const PLAIN_ACCOUNT = new RegExp(`^(\\d{2,8})@${PLAIN_DOMAIN}$`);
/** The login was right, but came without the TLS that the account demands: there is nothing to register at. */
const WITHOUT_TLS = 'registrar_attempt_without_configured_aors';

/** A wrong answer for an unknown account: the event before it already named the account. */
const NOBODY = '<unknown>';

/** How long a challenged request has to come back with an answer. */
const PATIENCE_MS = 1000;
/** Attempts that wait at a time; in a flood, further ones are reported without waiting. */
const MAX_WAITING = 5000;

interface SecurityEventOptions {
  readonly ami: Pick<Ami, 'listen'>;
  readonly tell: (event: EngineEvent) => void;
  /** A wrong answer over UDP, where the sender may be forged: others decide whether the nonce was issued to it. */
  readonly onUnproven: (address: string, nonce: string) => void;
}

/**
 * Failed attempts, one per attempt: a request and its second try with credentials are one. Over UDP a request without
 * credentials proves nothing about its sender and is no attempt (contract 17.6).
 */
export function createSecurityEvents({ ami, tell, onUnproven }: SecurityEventOptions) {
  const waiting = new Map<string, { failure: AuthFailed; timer: NodeJS.Timeout }>();

  function settle(attempt: string): AuthFailed | undefined {
    const entry = waiting.get(attempt);
    clearTimeout(entry?.timer);
    waiting.delete(attempt);
    return entry?.failure;
  }

  function hear(event: AmiMessage): void {
    const name = event.Event ?? '';
    const isWrong = WRONG.has(name);
    const isUnknown = UNKNOWN.has(name) || AT_PROVIDER.test(`${name} ${event.AccountID}`);
    if (!isWrong && !isUnknown && name !== 'SuccessfulAuth') return;
    const { failure, isPlain, isUdp } = failureOf(event) ?? {};
    if (!failure) return;
    if (isPlain && !isWrong) {
      const { account, address } = failure;
      if (event.ACLName === WITHOUT_TLS) tell({ type: 'tls-missing', account: account as string, address });
      return;
    }
    // Over UDP, too: a right answer to a challenge proves the secret, and that the challenge reached this address.
    if (name === 'SuccessfulAuth' && failure.account !== undefined)
      tell({ ...failure, type: 'auth-succeeded', account: failure.account });
    if (isUdp && failure.category === 'sip') {
      if (isWrong) onUnproven(failure.address, event.Challenge ?? '');
      return;
    }
    if (event.AccountID === NOBODY) return;
    const attempt = `${failure.category} ${failure.address} ${event.SessionID?.slice(0, 256)}`;
    const before = settle(attempt);
    if (name === 'SuccessfulAuth') return;
    // The second half of an attempt, or one that can no longer succeed.
    if (isWrong || before || failure.category !== 'sip' || waiting.size >= MAX_WAITING) tell(failure);
    else waiting.set(attempt, { failure, timer: later(attempt) });
  }

  function later(attempt: string): NodeJS.Timeout {
    return setTimeout(() => {
      const failure = settle(attempt);
      if (failure) tell(failure);
    }, PATIENCE_MS).unref();
  }

  const stop = ami.listen(hear);
  return {
    close(): void {
      stop();
      for (const attempt of [...waiting.keys()]) settle(attempt);
    },
  };
}

interface Attempt {
  readonly failure: AuthFailed;
  /** At the account for TLS-only employees who come over another transport. */
  readonly isPlain: boolean;
  readonly isUdp: boolean;
}

/** `undefined`: from a service that we do not count, or from no address that could be banned. */
function failureOf(event: AmiMessage): Attempt | undefined {
  const category = CATEGORIES.get(event.Service ?? '');
  // `IPV4/UDP/192.0.2.7/5060`
  const [, transport, host = ''] = (event.RemoteAddress ?? '').split('/');
  const address = parseAddress(host)?.text;
  if (!category || address === undefined) return undefined;
  const [, number] = PLAIN_ACCOUNT.exec(event.AccountID ?? '') ?? [];
  const account = number ?? shownText(event.AccountID ?? '', 100);
  const failure: AuthFailed = { type: 'auth-failed', category, address, ...(account !== '' && { account }) };
  return { failure, isPlain: number !== undefined, isUdp: transport === 'UDP' };
}
