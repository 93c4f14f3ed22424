import { covers } from '../../../http/access.ts';
import type { Grants } from './grants.ts';

/** What a key may do and from where: both determine its strength (contract 17.4). */
export interface Strength {
  readonly full_permissions: boolean;
  readonly allowed_paths: Grants;
  readonly networkfilterid: string;
}

/** Describes what a key has beyond another one; `undefined` when it is not stronger. */
export function excess(key: Strength, other: Strength): string | undefined {
  // No filter is strongest. Two different filters never compare, since either may be widened at any time.
  if (other.networkfilterid !== 'none' && key.networkfilterid !== other.networkfilterid) {
    return 'another network filter';
  }
  if (other.full_permissions) return undefined;
  if (key.full_permissions) return 'full permissions';
  const more = [...key.allowed_paths].find(([path, level]) => !covers(other.allowed_paths, path, level));
  return more && `${more[1]} on ${more[0]}`;
}
