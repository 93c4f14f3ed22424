import type { Static } from 'typebox';
import type { Input } from '../../../http/fields.ts';
import { InvalidFields } from '../../../lib/errors.ts';
import { isOpen, SERVICES } from '../../../lib/firewall-services.ts';
import { type Network, parseNetwork } from '../../../lib/network.ts';
import { readNetworks } from '../../../lib/network-list.ts';
import { flagText, isSet } from '../../../store/sql/schema.ts';
import type { NetworkFilter, NetworkFilterFields } from '../network-filters/network-filters.store.ts';
import type { FilterRecord, filterFields } from './firewall.schema.ts';

type Fields = Input<typeof filterFields>;

/** A stored filter in the form of contract 7.3. `network` and `subnet` come from the first readable `permit` entry. */
export function toRecord(filter: NetworkFilter): Static<typeof FilterRecord> {
  const first = readNetworks(filter.permit).networks[0];
  return {
    id: String(filter.id),
    network: first ? (first.text.split('/')[0] as string) : '',
    subnet: first?.prefix ?? 0,
    permit: filter.permit ?? '',
    deny: filter.deny ?? '',
    description: filter.description ?? '',
    newer_block_ip: isSet(filter.newer_block_ip),
    local_network: isSet(filter.local_network),
    priority: Number.parseInt(filter.priority ?? '', 10) || 0,
    rules: Object.fromEntries(
      SERVICES.map((name) => [name, { name, action: isOpen(filter.rules, name), ports: [] }]),
    ),
    permanent: false,
  };
}

/** What POST and PUT store: every field, sent or default. */
export function fromFields(fields: Fields): NetworkFilterFields {
  return {
    permit: permitOf(fields.network, fields.subnet).text,
    deny: listText(fields.deny),
    description: fields.description,
    newer_block_ip: flagText(fields.newer_block_ip),
    local_network: flagText(fields.local_network),
    priority: String(fields.priority),
    rules: fields.currentRules,
  };
}

/** What PATCH stores: the filter with only the sent fields changed. */
export function patched(filter: NetworkFilter, sent: Partial<Fields>): NetworkFilterFields {
  const { id: _, ...kept } = filter;
  const permit =
    sent.network === undefined && sent.subnet === undefined ? {} : { permit: movedPermit(filter, sent) };
  return {
    ...kept,
    ...permit,
    ...(sent.deny && { deny: listText(sent.deny) }),
    ...(sent.description !== undefined && { description: sent.description }),
    ...(sent.newer_block_ip !== undefined && { newer_block_ip: flagText(sent.newer_block_ip) }),
    ...(sent.local_network !== undefined && { local_network: flagText(sent.local_network) }),
    ...(sent.priority !== undefined && { priority: String(sent.priority) }),
    rules: { ...filter.rules, ...sent.currentRules },
  };
}

function movedPermit(filter: NetworkFilter, sent: Partial<Fields>): string {
  const first = readNetworks(filter.permit).networks[0];
  const network = sent.network ?? first;
  const subnet = sent.subnet ?? first?.prefix;
  const missing = network === undefined ? 'network' : subnet === undefined ? 'subnet' : undefined;
  if (missing) throw new InvalidFields(`${missing}: required, the stored permit has none`);
  return permitOf(network as Network, subnet as number).text;
}

function permitOf(network: Network, subnet: number): Network {
  const address = network.text.split('/')[0];
  const range = parseNetwork(`${address}/${subnet}`);
  if (!range)
    throw new InvalidFields(`subnet: must be 0..${network.family === 4 ? 32 : 128} (got ${subnet})`);
  return range;
}

const listText = (networks: readonly Network[]): string =>
  [...new Set(networks.map(({ text }) => text))].join(',');
