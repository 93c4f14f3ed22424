import {
  boolean,
  custom,
  described,
  type Field,
  type Input,
  oneOf,
  optional,
  partly,
  readFields,
  text,
  withDefault,
} from '../../../http/fields.ts';
import { CALL_CLASSES, callerIdField } from '../../../lib/caller-id.ts';
import { targetField } from '../../../lib/target.ts';
import {
  DTMF_MODES,
  email,
  keptSecret,
  MEDIA_ENCRYPTIONS,
  manualAttributes,
  networkFilterId,
  newSecret,
  ringLength,
  TRANSPORTS,
} from './employee-values.ts';

const required = {
  number: described(
    text({ max: 8, pattern: { test: /^\d{2,8}$/, says: 'must be 2..8 digits' } }),
    'Extension number, not used by another employee',
  ),
  user_username: described(text({ min: 1, max: 100 }), 'Full name'),
};

const target = targetField();

const withDefaults = {
  user_email: withDefault(email, ''),
  mobile_number: described(
    withDefault(
      text({
        max: 50,
        pattern: {
          test: /^(\+?[1-9]\d{1,14})?$/,
          says: 'must be E.164: optional +, 2..15 digits, the first 1-9',
        },
      }),
      '',
    ),
    'E.164; empty for none',
  ),
  mobile_dialstring: described(
    withDefault(text({ max: 255 }), ''),
    'What to dial for the mobile phone, if that is not its number',
  ),
  sip_transport: withDefault(oneOf(TRANSPORTS), 'udp'),
  sip_dtmfmode: withDefault(oneOf(DTMF_MODES), 'auto'),
  sip_media_encryption: described(
    withDefault(oneOf(MEDIA_ENCRYPTIONS), 'none'),
    'Encryption of the voice between phone and exchange: `none`, or `sdes` for SRTP only, which needs `sip_transport` `tls`',
  ),
  sip_enableRecording: withDefault(boolean, true),
  sip_networkfilterid: withDefault(networkFilterId, 'none'),
  sip_manualattributes: described(
    withDefault(manualAttributes, ''),
    'Additional parameters of the SIP account; may have several lines',
  ),
  fwd_ringlength: withDefault(ringLength, 45),
  fwd_forwarding: withDefault(target, ''),
  fwd_forwardingonbusy: withDefault(target, ''),
  fwd_forwardingonunavailable: withDefault(target, ''),
  outgoing_callerid: described(
    withDefault(callerIdField, ''),
    'Number shown on calls to the outside: digits with or without +, `anonymous`, or empty for the number of the route',
  ),
  call_class: described(
    withDefault(oneOf(CALL_CLASSES), 'premium'),
    'Which outside calls this phone may make; each class includes the classes before it',
  ),
};

/**
 * An employee as stored (contract 3.2). The entry of a field defines it completely: type, check, default, answer,
 * column and CSV column follow from it.
 */
export const employeeFields = { ...required, ...withDefaults, sip_secret: newSecret };

/** An unset text is empty. */
export type EmployeeFields = Readonly<Input<typeof employeeFields>>;

/** Defaults of the optional fields, on create and on PUT. */
export const DEFAULTS = readFields(withDefaults, {}).values;

const avatar = {
  user_avatar: optional(
    custom<unknown>({ description: 'Ignored: pictures are not stored' }, (value) => value),
  ),
};
export const createFields = { ...employeeFields, ...avatar };
export const putFields = { ...employeeFields, sip_secret: optional(keptSecret), ...avatar };
export const patchFields = partly(putFields);

/**
 * Checks the bound of the ring length while nothing is forwarded, which one field alone cannot know. With a forward it
 * is a rule across fields, answered 422 (contract 3.3).
 */
export function ringProblems(sent: Readonly<Record<string, unknown>>, storedForwarding = ''): string[] {
  const ring = readQuietly(ringLength, sent.fwd_ringlength);
  const forwarding =
    sent.fwd_forwarding == null ? storedForwarding : readQuietly(target, sent.fwd_forwarding);
  if (ring === undefined || forwarding !== '' || (ring >= 0 && ring <= 180)) return [];
  return [`fwd_ringlength: must be 0..180 (got ${ring})`];
}

/** `undefined` if the value is absent or its own check will refuse it. */
function readQuietly<T>(field: Field<T>, value: unknown): T | undefined {
  if (value === undefined || value === null) return undefined;
  try {
    return field.read(value);
  } catch {
    return undefined;
  }
}
