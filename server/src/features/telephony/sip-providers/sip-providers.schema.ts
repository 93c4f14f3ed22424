import {
  boolean,
  described,
  type Input,
  integer,
  oneOf,
  optional,
  text,
  withDefault,
} from '../../../http/fields.ts';
import { additionalHosts, host, networkFilterId, parserRegex } from './provider-fields.ts';

/** `SIP-`, `SIP-TRUNK-` or `SIP-PROVIDER-`, then 1..64 characters (contract 4.1). */
export const providerId = {
  pattern: /^SIP-(?:TRUNK-|PROVIDER-)?[A-Za-z0-9_-]{1,64}$/,
  description: '`SIP-`, `SIP-TRUNK-` or `SIP-PROVIDER-`, then 1..64 of letters, digits, `_` and `-`',
} as const;

const line = (max: number) => withDefault(text({ max }), '');
/** Line breaks are the only control characters allowed (contract 1.6). */
const NO_TABS = { test: /^[^\t]*$/, says: 'control characters are not allowed' };
const lines = (max: number) => text({ max, whiteSpace: true, pattern: NO_TABS });

/**
 * What a client decides about a trunk (contract 4.2): type, check, default, answer and column of a field follow from
 * its entry. POST and PUT read the same; an absent field takes its default.
 */
export const providerFields = {
  description: described(text({ min: 1, max: 255 }), 'Name of the provider'),
  host: described(host, 'SIP server: host name or address'),
  username: withDefault(
    text({
      max: 100,
      pattern: { test: /^[A-Za-z0-9_.+-]*$/, says: 'only letters, digits and _ . + - are allowed' },
    }),
    '',
  ),
  secret: described(
    optional(text({ max: 100, untrimmed: true })),
    'Password. `XXXXXXXX` keeps the stored one, as does an absent one, or an empty one with PATCH',
  ),
  registration_type: described(
    optional(oneOf(['inbound', 'outbound', 'none'])),
    'Who registers. Absent: `outbound` when username and secret are both given, else `none`',
  ),
  qualify: described(withDefault(boolean, true), 'Check regularly that the provider answers'),
  qualifyfreq: described(withDefault(integer({ min: 10, max: 3600 }), 60), 'Seconds between checks'),
  transport: withDefault(oneOf(['udp', 'tcp', 'tls', 'udp,tcp']), 'udp,tcp'),
  dtmfmode: withDefault(oneOf(['auto', 'rfc4733', 'inband', 'info', 'auto_info']), 'auto'),
  port: withDefault(integer({ min: 1, max: 65_535 }), 5060),
  disabled: withDefault(boolean, false),
  note: withDefault(lines(500), ''),
  networkfilterid: withDefault(networkFilterId, 'none'),
  manualattributes: described(
    withDefault(text({ max: 4096, untrimmed: true, whiteSpace: true, pattern: NO_TABS }), ''),
    'Additional settings for the telephony engine',
  ),
  fromuser: line(100),
  fromdomain: line(255),
  outbound_proxy: line(255),
  disablefromuser: withDefault(boolean, false),
  cid_source: described(
    withDefault(oneOf(['default', 'from', 'rpid', 'pai', 'custom']), 'default'),
    'Where to find the number of the caller',
  ),
  cid_custom_header: line(255),
  cid_parser_start: line(255),
  cid_parser_end: line(255),
  cid_parser_regex: withDefault(parserRegex, ''),
  cid_placement: described(
    withDefault(oneOf(['pai', 'from', 'rpid']), 'pai'),
    'SIP header that shows a chosen number to the provider: P-Asserted-Identity, From or Remote-Party-ID',
  ),
  did_source: described(
    withDefault(oneOf(['default', 'to', 'diversion', 'custom']), 'default'),
    'Where to find the dialled number',
  ),
  did_custom_header: line(255),
  did_parser_start: line(255),
  did_parser_end: line(255),
  did_parser_regex: withDefault(parserRegex, ''),
  cid_did_debug: withDefault(boolean, false),
  additionalHosts: described(
    withDefault<readonly string[]>(additionalHosts, []),
    'Further hosts that the provider calls from; a write replaces the whole list',
  ),
};

export type SipProviderInput = Readonly<Input<typeof providerFields>>;
export type SipProviderFields = Required<SipProviderInput>;

/** On create a client may choose the id; an empty one, as `getDefault` and `copy` return it, counts as none. */
export const newProviderFields = {
  ...providerFields,
  id: described(
    optional(text({ max: 80, pattern: { test: idOrNothing(), says: `must be ${providerId.description}` } })),
    'Generated when absent',
  ),
};

function idOrNothing(): RegExp {
  return new RegExp(`^$|${providerId.pattern.source}`);
}
