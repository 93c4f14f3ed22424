import { networkInterfaces } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bitsOf4, groupsOf6, inner4, isSame6 } from './address-bits.ts';

const text4 = (bits: number) => [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.');

test('any IPv4 address is read back', () => {
  const any = fc.tuple(fc.nat(0xff_ff), fc.nat(0xff_ff)).map(([high, low]) => high * 65_536 + low);
  fc.assert(fc.property(any, (bits) => void expect(bitsOf4(text4(bits))).toBe(bits)));
});

test.each([
  '',
  '1',
  '1.2.3',
  '1.2.3.4.5',
  '256.1.1.1',
  '1..2.3',
  '1.2.3.4 ',
  ' 1.2.3.4',
  '0x7f.0.0.1',
  '1.2.3.1000',
])('%j is not an IPv4 address', (text) => expect(bitsOf4(text)).toBeUndefined());

const spelled = fc
  .record({
    groups: fc.array(fc.constantFrom(0, 1, 0x7f, 0x7f_00, 0xff_ff, 0x20_01, 0xfe_80), {
      minLength: 8,
      maxLength: 8,
    }),
    padded: fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
    capitals: fc.boolean(),
    dotted: fc.boolean(),
    zone: fc.constantFrom('', '%lo', '%1'),
    gap: fc.tuple(fc.nat(8), fc.nat(8)),
  })
  .map(({ groups, padded, capitals, dotted, zone, gap: [from, length] }) => {
    const [high = 0, low = 0] = groups.slice(6);
    const words = groups.map((group, n) => group.toString(16).padStart(padded[n] ? 4 : 1, '0'));
    const tail = dotted ? [text4(high * 65_536 + low)] : [];
    const all = dotted ? words.slice(0, 6) : words;
    const to = Math.min(from + length, all.length);
    const isGap = to > from && groups.slice(from, to).every((group) => group === 0);
    const shortened = isGap
      ? `${all.slice(0, from).join(':')}::${[...all.slice(to), ...tail].join(':')}`
      : [...all, ...tail].join(':');
    return { groups, text: (capitals ? shortened.toUpperCase() : shortened) + zone };
  });

test('any spelling of an IPv6 address is read back', () => {
  fc.assert(fc.property(spelled, ({ groups, text }) => void expect(groupsOf6(text), text).toEqual(groups)));
});

test.each([
  '',
  ':',
  ':::',
  '1::2::3',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '12345::',
  '::g',
  '1:',
  '::1:',
  '::1.2.3',
  '::1.2.3.4:5',
  '1:2:3:4:5:6:7:1.2.3.4',
  '1:2:3:4:5:6:7:8::',
])('%j is not an IPv6 address', (text) => expect(groupsOf6(text)).toBeUndefined());

test('characters beyond the end of an address are ignored', () => {
  const shared = String.prototype as unknown as Record<number, string>;
  const read = (text: string, letters: string, work: (text: string) => unknown) => {
    // A module can define letters there, for all texts that are shorter.
    for (let n = 0; n < letters.length; n++) shared[text.length + n] = letters[n] as string;
    try {
      return work(text);
    } finally {
      for (let n = 0; n < letters.length; n++) delete shared[text.length + n];
    }
  };
  expect(read('192.0.2.1', '9', bitsOf4)).toBe(bitsOf4('192.0.2.1'));
  expect(read('192.0.2', '.1', bitsOf4)).toBeUndefined();
  expect(read('::ffff:c000:202', 'f:', groupsOf6)).toEqual(groupsOf6('::ffff:c000:202'));
  expect(read('::', '1', groupsOf6)).toEqual(groupsOf6('::'));
  expect(read('', '::1', groupsOf6)).toBeUndefined();
});

test('an IPv4 address inside an IPv6 address is found', () => {
  const inner = (text: string) => inner4(groupsOf6(text) ?? []);
  expect(inner('::1')).toBe(1);
  expect(inner('::')).toBe(0);
  expect(inner('::ffff:127.0.0.1')).toBe(0x7f_00_00_01);
  expect(inner('0:0:0:0:0:FFFF:7f00:0001%lo')).toBe(0x7f_00_00_01);
  expect(inner('::ffff:0:1.2.3.4')).toBeUndefined();
  expect(inner('2001:db8::1')).toBeUndefined();
});

test('the addresses of this system can be read', () => {
  for (const { family, address } of Object.values(networkInterfaces()).flatMap((all) => all ?? [])) {
    expect(family === 'IPv4' ? bitsOf4(address) : groupsOf6(address), address).toBeDefined();
    if (family === 'IPv6') expect(isSame6(groupsOf6(address) ?? [], groupsOf6(address) ?? [])).toBe(true);
  }
});
