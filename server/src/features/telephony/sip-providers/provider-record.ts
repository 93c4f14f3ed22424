import type { Static } from 'typebox';
import { SECRET_MASK } from '../../../http/fields.ts';
import type { ProviderListItem, ProviderRecord } from './provider-answers.schema.ts';
import type { SipProvider } from './sip-provider.ts';

/** The label of a provider, plain text. */
export const represent = ({ description, host }: SipProvider): string => `${description} (${host})`;

export function listItem(provider: SipProvider): Static<typeof ProviderListItem> {
  const { id, description, note, disabled, username, host, port, registration_type, transport } = provider;
  return {
    id,
    description,
    type: 'SIP',
    note,
    disabled,
    represent: represent(provider),
    username,
    host,
    port,
    registration_type,
    transport,
    statusClass: disabled ? 'grey' : '',
    search_index: [description, id, username, host, note].filter(Boolean).join(' ').toLowerCase(),
  };
}

export interface RecordView {
  /** The caller may write providers, so may see what was written. */
  readonly mayWrite: boolean;
  /** How an operator recognises a filter; `undefined` when it does not exist. */
  readonly describeFilter: (id: string) => string | undefined;
}

export function recordOf(provider: SipProvider, view: RecordView): Static<typeof ProviderRecord> {
  const { createdAt: _, switchedAt: __, networkfilterid: filter, ...fields } = provider;
  return {
    ...fields,
    type: 'SIP',
    secret: shownSecret(provider, view.mayWrite),
    networkfilterid: filter,
    networkfilter_represent:
      filter === 'none'
        ? 'No restriction'
        : (view.describeFilter(filter) ?? `Filter ${filter} does not exist`),
    additionalHosts: provider.additionalHosts.map((address, index) => ({ id: String(index + 1), address })),
  };
}

/** Contract 4.3. */
function shownSecret({ secret, registration_type: type }: SipProvider, mayWrite: boolean): string {
  if (secret === '') return '';
  return type === 'outbound' || !mayWrite ? SECRET_MASK : secret;
}
