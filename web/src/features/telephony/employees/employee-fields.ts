import type { Employee } from '@pbxcore/client';

/** The editable fields, in the order of the form. */
const EMPLOYEE_FIELDS = [
  'number',
  'user_username',
  'user_email',
  'mobile_number',
  'mobile_dialstring',
  'sip_secret',
  'sip_transport',
  'sip_media_encryption',
  'sip_dtmfmode',
  'sip_enableRecording',
  'sip_networkfilterid',
  'sip_manualattributes',
  'fwd_ringlength',
  'fwd_forwarding',
  'fwd_forwardingonbusy',
  'fwd_forwardingonunavailable',
  'outgoing_callerid',
  'call_class',
] as const satisfies readonly (keyof Employee)[];

export type EmployeeFields = Pick<Employee, (typeof EMPLOYEE_FIELDS)[number]>;

export const fieldsOf = (employee: Employee): EmployeeFields =>
  Object.fromEntries(EMPLOYEE_FIELDS.map((name) => [name, employee[name]])) as unknown as EmployeeFields;

export const TRANSPORTS = ['udp', 'tcp', 'udp,tcp', 'tls'] as const;
export type Transport = (typeof TRANSPORTS)[number];
/** Short enough for a table, and the same in every language. */
export const transportName = (transport: string): string => transport.split(',').join(' + ').toUpperCase();

/** For inputs: fields in one row have the same height with and without a hint. */
export const HINT_BELOW = ['label', 'input', 'description', 'error'] as (
  | 'label'
  | 'input'
  | 'description'
  | 'error'
)[];

/** Without characters that are easily confused: people type it into phones. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

export function newSecret(length = 20): string {
  let secret = '';
  while (secret.length < length) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    // Higher values would make some characters more frequent than others.
    if (byte < 256 - (256 % ALPHABET.length)) secret += ALPHABET[byte % ALPHABET.length];
  }
  return secret;
}
