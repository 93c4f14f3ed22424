import {
  boolean,
  custom,
  described,
  type Field,
  FieldProblem,
  integer,
  oneOf,
  optional,
  partly,
  text,
  withDefault,
} from '../../../http/fields.ts';
import { SECRET_MASK } from '../../../lib/secret-mask.ts';
import { DEFAULTS, DTMF_MODES, MEDIA_ENCRYPTIONS, SPECIAL_TARGETS, TRANSPORTS } from './employee.ts';

const plainEmail = text({ max: 255 });
const EMAIL =
  /^[^\s\p{C}@<>()[\]\\,;:"]+@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u;
const email = custom<string>(
  {
    type: 'string',
    maxLength: 255,
    description: 'E-mail address; empty for none',
    examples: ['anna@example.org'],
  },
  (value) => {
    const address = plainEmail.read(value);
    // What input masks leave behind when nothing was typed.
    if (address === '' || address === '@' || address === '_@_._') return '';
    if (!EMAIL.test(address)) throw new FieldProblem('must be an e-mail address');
    return address;
  },
);

const networkFilterId = custom<string>(
  {
    type: ['string', 'integer'],
    pattern: '^(none|\\d{1,9})?$',
    description: 'Where the phone may register from: the id of a network filter, or `none`',
  },
  (value) => {
    const id =
      typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : undefined;
    if (id === '' || id === 'none') return 'none';
    if (id === undefined || !/^\d{1,9}$/.test(id))
      throw new FieldProblem('must be none or the id of a network filter');
    return String(Number(id));
  },
);

const target = custom<string>(
  {
    type: ['string', 'integer'],
    pattern: `^(\\+?\\d{1,20}|${SPECIAL_TARGETS.join('|')})?$`,
    description: `A number, ${SPECIAL_TARGETS.join(', ')}, or empty for none`,
    examples: ['202', 'hangup'],
  },
  (value) => {
    const wanted = Number.isSafeInteger(value) ? String(value) : value;
    if (typeof wanted !== 'string') throw new FieldProblem(TARGET_PROBLEM);
    const trimmed = wanted.trim();
    if (trimmed === '' || /^\+?\d{1,20}$/.test(trimmed) || SPECIAL_TARGETS.includes(trimmed as never))
      return trimmed;
    throw new FieldProblem(TARGET_PROBLEM);
  },
);
const TARGET_PROBLEM = `must be a number of 1..20 digits, or one of ${SPECIAL_TARGETS.join(', ')}`;

const anyInteger = integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
/** Its bounds depend on `fwd_forwarding`: see `ringProblems` and `brokenRules`. */
const ringLength = custom<number>(
  {
    type: ['integer', 'string'],
    minimum: 0,
    maximum: 180,
    pattern: '^-?\\d*$',
    description: 'Seconds before `fwd_forwarding` takes over: 3..180 with it, 0..180 without; empty = 0',
  },
  (value) => (value === '' ? 0 : anyInteger.read(value)),
);

const secret = text({ min: 5, max: 100, untrimmed: true });
const newSecret: Field<string> = {
  ...described(secret, 'Password of the SIP account'),
  read(value) {
    if (value === SECRET_MASK)
      throw new FieldProblem(`${SECRET_MASK} stands for a stored secret, there is none yet`);
    return secret.read(value);
  },
};
/** Empty: the stored one. */
const keptSecret = custom<string>(
  {
    type: 'string',
    maxLength: 100,
    description: `5..100 characters; absent, empty or ${SECRET_MASK} keeps the stored one`,
  },
  (value) => (value === '' || value === SECRET_MASK ? '' : secret.read(value)),
);

const manualAttributes = text({
  max: 1024,
  untrimmed: true,
  whiteSpace: true,
  pattern: { test: /^[^\t]*$/, says: 'control characters are not allowed, except line breaks' },
});

const common = {
  number: described(
    text({ max: 8, pattern: { test: /^\d{2,8}$/, says: 'must be 2..8 digits' } }),
    'Extension number, not used by another employee',
  ),
  user_username: described(text({ min: 1, max: 100 }), 'Full name'),
  user_email: withDefault(email, DEFAULTS.user_email),
  mobile_number: described(
    withDefault(
      text({
        max: 50,
        pattern: {
          test: /^(\+?[1-9]\d{1,14})?$/,
          says: 'must be E.164: optional +, 2..15 digits, the first 1-9',
        },
      }),
      DEFAULTS.mobile_number,
    ),
    'E.164; empty for none',
  ),
  mobile_dialstring: described(
    withDefault(text({ max: 255 }), DEFAULTS.mobile_dialstring),
    'How the mobile phone is dialled, where that is not its number',
  ),
  sip_transport: withDefault<(typeof TRANSPORTS)[number]>(oneOf(TRANSPORTS), DEFAULTS.sip_transport),
  sip_dtmfmode: withDefault<(typeof DTMF_MODES)[number]>(oneOf(DTMF_MODES), DEFAULTS.sip_dtmfmode),
  sip_media_encryption: described(
    withDefault<(typeof MEDIA_ENCRYPTIONS)[number]>(oneOf(MEDIA_ENCRYPTIONS), DEFAULTS.sip_media_encryption),
    'Voice between phone and exchange: `none`, or `sdes` for SRTP and nothing else, which needs `sip_transport` `tls`',
  ),
  sip_enableRecording: withDefault<boolean>(boolean, DEFAULTS.sip_enableRecording),
  sip_networkfilterid: withDefault(networkFilterId, DEFAULTS.sip_networkfilterid),
  sip_manualattributes: described(
    withDefault(manualAttributes, DEFAULTS.sip_manualattributes),
    'More parameters of the SIP account, several lines',
  ),
  fwd_ringlength: withDefault<number>(ringLength, DEFAULTS.fwd_ringlength),
  fwd_forwarding: withDefault(target, DEFAULTS.fwd_forwarding),
  fwd_forwardingonbusy: withDefault(target, DEFAULTS.fwd_forwardingonbusy),
  fwd_forwardingonunavailable: withDefault(target, DEFAULTS.fwd_forwardingonunavailable),
};
const avatar = {
  user_avatar: optional(custom<unknown>({ description: 'Ignored: pictures are not kept' }, (value) => value)),
};

export const createFields = { ...common, sip_secret: newSecret, ...avatar };
export const putFields = { ...common, sip_secret: optional(keptSecret), ...avatar };
export const patchFields = partly(putFields);

/**
 * The bound of the ring length while nothing is forwarded, which one field alone cannot know. With a forward it is a
 * rule across fields, answered 422 (contract 3.3).
 */
export function ringProblems(sent: Readonly<Record<string, unknown>>, storedForwarding = ''): string[] {
  const ring = readQuietly(ringLength, sent.fwd_ringlength);
  const forwarding =
    sent.fwd_forwarding == null ? storedForwarding : readQuietly(target, sent.fwd_forwarding);
  if (ring === undefined || forwarding !== '' || (ring >= 0 && ring <= 180)) return [];
  return [`fwd_ringlength: must be 0..180 (got ${ring})`];
}

/** `undefined` for what is absent or will be refused for itself. */
function readQuietly<T>(field: Field<T>, value: unknown): T | undefined {
  if (value === undefined || value === null) return undefined;
  try {
    return field.read(value);
  } catch {
    return undefined;
  }
}

/** Sent back by clients that put a read record. */
export const EMPLOYEE_RESPONSE_FIELDS = [
  'id',
  'extensions_length',
  'sip_networkfilterid_represent',
  'fwd_forwarding_represent',
  'fwd_forwardingonbusy_represent',
  'fwd_forwardingonunavailable_represent',
  'created_at',
  'updated_at',
];
