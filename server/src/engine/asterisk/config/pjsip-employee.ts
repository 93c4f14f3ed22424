import { createHash } from 'node:crypto';
import type { DesiredExtension, Transport } from '../../desired-state.ts';
import { channelText, configSection, dialable, plainText, type Setting } from './encode.ts';
import { readManualAttributes, withManual } from './manual-attributes.ts';
import { filterRules } from './source-filter.ts';

/** The same for everybody, so that an answer does not tell a known account from an unknown one. */
export const REALM = 'pbxcore';
/** The dialplan's side of these names: dialplan/. */
const EMPLOYEE_CONTEXT = 'from-employee';
const TLS_EMPLOYEE_CONTEXT = 'from-tls-employee';
/** The transports that are not TLS are of this domain: who comes over one of them is looked for in it first. */
export const PLAIN_DOMAIN = 'without-tls';
/** The engine's name for an employee whose transport is `tls` and who comes over another one. */
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
  // Phones sit behind routers, and calls are recorded: voice goes through us, back to where it came from.
  ['direct_media', 'no'],
  ['rtp_symmetric', 'yes'],
  ['rewrite_contact', 'yes'],
  ['identify_by', 'username'],
];

/** In the place of what was set by hand, so that nothing there makes it less than it says. */
const ENCRYPTED: readonly Setting[] = [
  ['media_encryption', 'sdes'],
  ['media_encryption_optimistic', 'no'],
];

const AOR: readonly Setting[] = [
  ['type', 'aor'],
  ['max_contacts', MAX_DEVICES],
  // The device that comes last wins, dead ones go first.
  ['remove_existing', 'yes'],
  ['remove_unavailable', 'yes'],
  ['qualify_frequency', PROBE_SECONDS],
  ['minimum_expiration', 30],
];

/** The sections of an account, by the file they go to: a new secret is a change of the second only. */
export interface RenderedAccount {
  readonly endpoints: string;
  readonly auths: string;
  readonly aors: string;
}

/** The account of an employee, in three sections that bear the extension's number. */
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
    // Whom this phone hands over goes on without it, and need not have come over TLS.
    ...(needsTls(transports) ? ([['set_var', `TRANSFER_CONTEXT=${EMPLOYEE_CONTEXT}`]] as const) : []),
    ['auth', number],
    ['aors', number],
    ...callerId(name, number),
    ['dtmf_mode', dtmfMode],
    // The dialplan records what this phone says, whoever calls whom.
    ...(employee.isRecorded ? ([['set_var', 'PBX_RECORDED=1']] as const) : []),
    // A plain one is rung the way it registered, or it would be there and could not be reached.
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
 * What an employee whose transport is `tls` finds over another one: the same login, so that strangers learn nothing, but
 * nothing to register at (the engine answers 403), and nobody to call but for help (contract 23.10).
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

/** No sign in it ends a name in quotes early. */
const PLAIN_NAME = /^[^"\\<>;]*$/;
const CALLER_ID_BYTES = 79;

/**
 * Of `callerid` the engine keeps 79 bytes, be the last a whole character or not. Longer and odd names are set on the channel,
 * which costs each call a little.
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

/** Then nothing else will do: the others are as good as each other. */
export const needsTls = (transports: readonly Transport[]): boolean =>
  transports.length > 0 && transports.every((transport) => transport === 'tls');

/** One of several is chosen by where the other side is; a single one is demanded. */
export const onlyTransport = (transports: readonly Transport[]): Setting[] =>
  transports.length === 1 ? [['transport', transportName(transports[0] as Transport)]] : [];

export const transportName = (transport: Transport): string => `transport-${transport}`;

/** What checks a login: the digest, so that a secret needs no encoding and does not lie about in clear. */
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
