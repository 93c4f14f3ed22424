import {
  custom,
  described,
  type Field,
  FieldProblem,
  integer,
  SECRET_MASK,
  text,
} from '../../../http/fields.ts';

export const TRANSPORTS = ['udp', 'tcp', 'tls', 'udp,tcp'] as const;
/** How voice is encrypted: not at all, or with keys that come with the call (SRTP with SDES). */
export const MEDIA_ENCRYPTIONS = ['none', 'sdes'] as const;
export const DTMF_MODES = ['auto', 'rfc4733', 'inband', 'info', 'auto_info'] as const;

const line = text({ max: 255 });
const EMAIL =
  /^[^\s\p{C}@<>()[\]\\,;:"]+@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,}$/u;
export const email: Field<string> = {
  ...line,
  schema: {
    type: 'string',
    maxLength: 255,
    description: 'E-mail address; empty for none',
    examples: ['anna@example.org'],
  },
  read(value) {
    const address = line.read(value);
    // What input masks leave behind when nothing was typed.
    if (address === '' || address === '@' || address === '_@_._') return '';
    if (!EMAIL.test(address)) throw new FieldProblem('must be an e-mail address');
    return address;
  },
};

export const networkFilterId: Field<string> = {
  ...line,
  schema: {
    type: ['string', 'integer'],
    pattern: '^(none|\\d{1,9})?$',
    description: 'Where the phone may register from: `none` (anywhere), or the id of a network filter',
  },
  read(value) {
    const id =
      typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : undefined;
    if (id === '' || id === 'none') return 'none';
    if (id === undefined || !/^\d{1,9}$/.test(id))
      throw new FieldProblem('must be none or the id of a network filter');
    return String(Number(id));
  },
};

const anyInteger = integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
/** Its bounds depend on `fwd_forwarding`: see `ringProblems` and `brokenRules`. */
export const ringLength: Field<number> = {
  ...anyInteger,
  schema: {
    type: ['integer', 'string'],
    minimum: 0,
    maximum: 180,
    pattern: '^-?\\d*$',
    description:
      'Seconds to ring before a call goes to `fwd_forwarding`: 3..180 if that is set, otherwise 0..180; empty = 0',
  },
  read: (value) => (value === '' ? 0 : anyInteger.read(value)),
};

const secret = text({ min: 5, max: 100, untrimmed: true });
export const newSecret: Field<string> = {
  ...described(secret, 'Password of the SIP account'),
  read(value) {
    if (value === SECRET_MASK)
      throw new FieldProblem(`${SECRET_MASK} stands for a stored secret, there is none yet`);
    return secret.read(value);
  },
};
/** Empty: keeps the stored one. */
export const keptSecret = custom<string>(
  {
    type: 'string',
    maxLength: 100,
    description: `5..100 characters; absent, empty or ${SECRET_MASK} keeps the stored one`,
  },
  (value) => (value === '' || value === SECRET_MASK ? '' : secret.read(value)),
);

export const manualAttributes = text({
  max: 1024,
  untrimmed: true,
  whiteSpace: true,
  pattern: { test: /^[^\t]*$/, says: 'control characters are not allowed, except line breaks' },
});
