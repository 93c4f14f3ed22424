import { describe, expect, test } from 'vitest';
import { numbersOnRings, ringFrom } from './rings.ts';

const next = (targets: Readonly<Record<string, readonly string[]>>) => (number: string) =>
  targets[number] ?? [];

describe('rings of targets', () => {
  test('the shortest way back to a number is its ring', () => {
    const targets = next({ a: ['b', 'c'], b: ['d'], d: ['a'], c: ['a'] });
    expect(ringFrom('a', targets)).toEqual(['a', 'c', 'a']);
    expect(ringFrom('d', targets)).toEqual(['d', 'a', 'b', 'd']);
    expect(ringFrom('a', next({ a: ['b'], b: ['c'], c: ['b'] }))).toEqual([]);
  });

  test('the numbers on rings are those for which ringFrom finds a ring, in 200 random exchanges', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    let onRings = 0;
    for (let house = 0; house < 200; house++) {
      const numbers = Array.from({ length: 12 }, (_, at) => String(at));
      const targets = next(
        Object.fromEntries(
          numbers.map((number) => [
            number,
            Array.from({ length: random(3) }, () => String(random(14))).filter((target) => target !== number),
          ]),
        ),
      );
      const expected = numbers.filter((number) => ringFrom(number, targets).length > 0);
      onRings += expected.length;
      expect([...numbersOnRings(numbers, targets)].sort()).toEqual(expected.sort());
    }
    expect(onRings).toBeGreaterThan(200);
  });

  test('in a chain of a hundred thousand forwards each number is looked at once', () => {
    const size = 100_000;
    let asked = 0;
    const chain = (number: string) => {
      asked++;
      return Number(number) + 1 < size ? [String(Number(number) + 1)] : [];
    };
    expect(
      numbersOnRings(
        Array.from({ length: size }, (_, at) => String(at)),
        chain,
      ).size,
    ).toBe(0);
    expect(asked).toBe(size);
  });
});
