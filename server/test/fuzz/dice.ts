/** Random choices, reproducible by their seed. */
export interface Dice {
  /** 0 up to, but excluding, `below`. */
  number(below: number): number;
  chance(share: number): boolean;
  pick<T>(from: readonly T[]): T;
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  // A Weyl sequence, mixed: short, fast, and even enough to choose test data.
  function next(): number {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  }
  const number = (below: number) => Math.floor(next() * below);
  return {
    number,
    chance: (share) => next() < share,
    pick: <T>(from: readonly T[]) => from[number(from.length)] as T,
  };
}
