import type { SipProvider, SipProvidersCreateBody } from '@pbxcore/client';

/** The editable fields, in the order of the form. */
const FIELDS = [
  'description',
  'registration_type',
  'host',
  'port',
  'transport',
  'username',
  'secret',
  'note',
  'qualify',
  'qualifyfreq',
  'networkfilterid',
  'outbound_proxy',
  'fromuser',
  'fromdomain',
  'disablefromuser',
  'cid_source',
  'cid_custom_header',
  'cid_parser_start',
  'cid_parser_end',
  'cid_parser_regex',
  'cid_placement',
  'did_source',
  'did_custom_header',
  'did_parser_start',
  'did_parser_end',
  'did_parser_regex',
  'cid_did_debug',
  'dtmfmode',
  'manualattributes',
] as const satisfies readonly (keyof SipProvider)[];

export type ProviderFields = Pick<SipProvider, (typeof FIELDS)[number]> & {
  readonly additionalHosts: readonly string[];
};

/** Replaces a stored secret that is not shown. */
export const MASK = 'XXXXXXXX';

/** A secret that is not shown is empty in the form: leaving it empty keeps it. */
export function fieldsOf(provider: SipProvider): ProviderFields {
  const fields = Object.fromEntries(FIELDS.map((name) => [name, provider[name]]));
  return {
    ...(fields as unknown as Pick<SipProvider, (typeof FIELDS)[number]>),
    secret: provider.secret === MASK ? '' : provider.secret,
    additionalHosts: provider.additionalHosts.map(({ address }) => address),
  };
}

export type ProviderBody = Partial<SipProvidersCreateBody>;

export function bodyOf({ additionalHosts, ...fields }: Partial<ProviderFields>): ProviderBody {
  return {
    ...fields,
    ...(additionalHosts && { additionalHosts: additionalHosts.map((address) => ({ address })) }),
  };
}
