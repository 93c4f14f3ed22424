import { networkInterfaces } from 'node:os';
import { bitsOf4, groupsOf6, isSame6 } from './address-bits.ts';

// Saved before a module can replace them.
const { ownKeys, getPrototypeOf } = Reflect;
const interfacesNow = networkInterfaces;
const objects = Object.prototype;
const lists = Array.prototype;

/**
 * The addresses of this machine: those from before any code of the module ran, and later ones. Node returns the latter
 * in an object and arrays, whose prototypes a module can change so that they lose entries.
 */
export function createOwnAddresses() {
  const bits4: number[] = [];
  const groups6: number[][] = [];
  for (const { address } of Object.values(interfacesNow()).flatMap((all) => all ?? [])) {
    const bits = bitsOf4(address);
    const groups = groupsOf6(address);
    if (bits !== undefined) bits4.push(bits);
    if (groups !== undefined) groups6.push(groups);
  }
  const [ofObjects, ofLists] = [ownKeys(objects).length, ownKeys(lists).length];

  /** The addresses cannot be relied on then: any may be this machine's own. */
  const isTamperedWith = (): boolean =>
    ownKeys(objects).length !== ofObjects ||
    ownKeys(lists).length !== ofLists ||
    getPrototypeOf(lists) !== objects;

  return {
    has4(bits: number): boolean {
      for (let n = 0; n < bits4.length; n++) if (bits4[n] === bits) return true;
      return isTamperedWith() || isThereNow((address) => bitsOf4(address) === bits);
    },
    has6(groups: readonly number[]): boolean {
      for (let n = 0; n < groups6.length; n++) if (isSame6(groups6[n] as number[], groups)) return true;
      return (
        isTamperedWith() ||
        isThereNow((address) => {
          const own = groupsOf6(address);
          return own !== undefined && isSame6(own, groups);
        })
      );
    },
  };
}

function isThereNow(isIt: (address: string) => boolean): boolean {
  const all = interfacesNow();
  for (const name in all) {
    const addresses = all[name];
    for (let n = 0; addresses && n < addresses.length; n++)
      if (isIt(addresses[n]?.address ?? '')) return true;
  }
  return false;
}
