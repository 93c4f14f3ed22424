import { createHash } from 'node:crypto';
import type { DesiredExtension, Transport } from '../../desired-state.ts';
import { channelText, configSection, dialable, plainText, type Setting } from './encode.ts';
import { readManualAttributes, withManual } from './manual-attributes.ts';
import { filterRules } from './source-filter.ts';

/** The same for everybody, so that an answer does not reveal whether an account exists. */
export const REALM = 'pbxcore';
/** These contexts are in dialplan/. */
const EMPLOYEE_CONTEXT = 'from-employee';
const TLS_EMPLOYEE_CONTEXT = 'from-tls-employee';
/** Domain of the transports without TLS: a request over one of them is looked up in this domain first. */
export const PLAIN_DOMAIN = 'without-tls';
/** The engine's name for a TLS-only employee who comes over another transport. */
const plainName = (number: string): string => `${number}@${PLAIN_DOMAIN}`;
const MAX_DEVICES = 10;
const PROBE_SECONDS = 60;

export const CODECS: readonly Setting[] = [
  ['disallow', 'all'],
  ['allow', 'ulaw,alaw,g722,opus'],
];

const ENDPOINT: readonly Setting[] = [
  ['type', 'endpoint'],
  ...CODECS,
  // Phones are behind routers and calls are recorded: voice goes through us, and back to where it came from.
  ['direct_media', 'no'],
  ['rtp_symmetric', 'yes'],
  ['rewrite_contact', 'yes'],
  ['identify_by', 'username'],
];

/** Overrides what was set by hand, so that nothing there can weaken the encryption. */
const ENCRYPTED: readonly Setting[] = [
  ['media_encryption', 'sdes'],
  ['media_encryption_optimistic', 'no'],
];

const AOR: readonly Setting[] = [
  ['type', 'aor'],
  ['max_contacts', MAX_DEVICES],
  // The newest device wins; unreachable ones are removed first.
  ['remove_existing', 'yes'],
  ['remove_unavailable', 'yes'],
  ['qualify_frequency', PROBE_SECONDS],
  ['minimum_expiration', 30],
];

/** The sections of an account, by the file they go to: a new secret changes only the second. */
export interface RenderedAccount {
  readonly endpoints: string;
  readonly auths: string;
  readonly aors: string;
}

/** The account of an employee, in three sections named after the extension number. */
export function renderEmployee(
  employee: DesiredExtension,
  callLife: readonly Setting[] = [],
): RenderedAccount {
  const { number, name, secret, transports, dtmfMode, filter, manualAttributes } = employee;
  const { settings: manual } = readManualAttributes(manualAttributes);
  const endpoint: Setting[] = [
    ...ENDPOINT,
    ...callLife,
    ['context', needsTls(transports) ? TLS_EMPLOYEE_CONTEXT : EMPLOYEE_CONTEXT],
    // A call that this phone transfers goes on without it, and need not have come over TLS.
    ...(needsTls(transports) ? ([['set_var', `TRANSFER_CONTEXT=${EMPLOYEE_CONTEXT}`]] as const) : []),
    ['auth', number],
    ['aors', number],
    ...callerId(name, number),
    ['dtmf_mode', dtmfMode],
    // Makes the dialplan record this phone's calls, whoever calls whom.
    ...(employee.isRecorded ? ([['set_var', 'PBX_RECORDED=1']] as const) : []),
    // A phone without TLS is rung the way it registered; otherwise it might be registered, but unreachable.
    ...(needsTls(transports) ? onlyTransport(transports) : []),
  ];
  const set = withManual(endpoint, manual.endpoint);
  const own = configSection(number, [
    ...(employee.isEncrypted ? withManual(set, ENCRYPTED) : set),
    ...filterRules(filter),
  ]);
  return {
    endpoints: needsTls(transports) ? own + renderRefusal(employee, callLife) : own,
    auths: configSection(number, withManual(digestAuth(number, secret), manual.auth)),
    aors: configSection(number, withManual(AOR, manual.aor)),
  };
}

/**
 * The account of a TLS-only employee over another transport: the same login, so that strangers learn nothing, but
 * nothing to register at (the engine answers 403), and only emergency numbers can be called (contract 23.10).
 */
const renderRefusal = ({ number, name, filter }: DesiredExtension, callLife: readonly Setting[]): string =>
  configSection(plainName(number), [
    ...ENDPOINT,
    ...callLife,
    ['context', TLS_EMPLOYEE_CONTEXT],
    ['auth', number],
    ...callerId(name, number),
    ...filterRules(filter),
  ]);

/** Without characters that would end a quoted name early. */
const PLAIN_NAME = /^[^"\\<>;]*$/;
const CALLER_ID_BYTES = 79;

/**
 * The engine cuts `callerid` at 79 bytes, even within a character. Longer and odd names are set on the channel, which
 * costs each call a little.
 */
function callerId(name: string, number: string): Setting[] {
  const text = plainText(name, 511);
  const own = dialable(number);
  if (PLAIN_NAME.test(text) && Buffer.byteLength(text) <= CALLER_ID_BYTES)
    return [['callerid', `"${text}" <${own}>`]];
  return [
    ['callerid', `<${own}>`],
    ['set_var', `CALLERID(name)=${channelText(name)}`],
  ];
}

/** True if TLS is the only transport. Between the others no difference is made. */
export const needsTls = (transports: readonly Transport[]): boolean =>
  transports.length > 0 && transports.every((transport) => transport === 'tls');

/** A single transport is enforced; of several, one is chosen by where the other side is. */
export const onlyTransport = (transports: readonly Transport[]): Setting[] =>
  transports.length === 1 ? [['transport', transportName(transports[0] as Transport)]] : [];

export const transportName = (transport: Transport): string => `transport-${transport}`;

/** Logins are checked by digest, so that a secret needs no encoding and is not stored in clear text. */
export function digestAuth(username: string, secret: string): Setting[] {
  const digest = createHash('md5').update(`${username}:${REALM}:${secret}`).digest('hex');
  return [
    ['type', 'auth'],
    ['auth_type', 'md5'],
    ['username', username],
    ['realm', REALM],
    ['md5_cred', digest],
  ];
}
