import { fromFields } from '../features/firewall/firewall/filter-record.ts';
import { filterFields } from '../features/firewall/firewall/firewall.schema.ts';
import type { NetworkFilterStore } from '../features/firewall/network-filters/network-filters.store.ts';
import { readFields } from '../http/fields.ts';
import type { Network } from '../lib/network.ts';

/** Stores a filter that permits one network and denies the rest, for `bind` to use; removed if `bind` fails. */
export async function createAccessFilter<T>(
  filters: NetworkFilterStore,
  from: Network,
  forWhat: string,
  bind: (filterId: string) => Promise<T>,
): Promise<T> {
  const { values } = readFields(filterFields, {
    network: from.text.split('/')[0],
    subnet: from.prefix,
    description: [...`API key ${forWhat}`].slice(0, 255).join(''),
  });
  // It denies all by default and is not an allow-list entry, so no ban is affected (contract 7.5).
  const id = await filters.insert(fromFields(values));
  try {
    return await bind(String(id));
  } catch (error) {
    await filters.delete(id);
    throw error;
  }
}
