import { expect, test } from 'vitest';
import { moduleFindings } from './modules.check.ts';

const module = (id: string, more: object = {}) => ({
  id,
  disabled: false,
  disableReason: '',
  disableReasonText: '',
  endpoints: [],
  ...more,
});

test('without modules, and with sound ones, nothing is wrong', () => {
  expect(moduleFindings([])).toEqual([{ level: 'ok', text: 'modules: none is installed' }]);
  const off = module('B', { disabled: true, disableReason: 'DisabledByUser' });
  expect(moduleFindings([module('A'), off])).toEqual([{ level: 'ok', text: 'modules: 1 of 2 enabled: A' }]);
});

test('what a module did is told, and a warning when it ended by itself', () => {
  const figures = { calls: 3, errors: 1, restarts: 0, cpuSeconds: 0.52, memoryBytes: 50_000_000 };
  const found = moduleFindings([
    module('A', { figures }),
    module('B', { figures: { calls: 0, errors: 0, restarts: 2 } }),
  ]);
  expect(found.slice(1)).toMatchObject([
    {
      level: 'ok',
      text: 'module A since the start of the service: 3 calls, 1 errors, 0 restarts, 0.5 s of CPU, 48 MB now',
    },
    {
      level: 'warning',
      text: 'module B since the start of the service: 0 calls, 0 errors, 2 restarts',
      remedy: '`pbxcore module logs B` shows why it ended',
    },
  ]);
});

test.each([
  ['Torn', 'install it again with `--replace`, or `pbxcore module remove Torn`'],
  ['CallNotes-1.0.0', '`pbxcore module remove CallNotes-1.0.0`'],
  ["it's mine", "`pbxcore module remove 'it'\\''s mine'`"],
  ['-new', '`pbxcore module remove -- -new`'],
  ['a:b', 'move its folder away by hand'],
])('for the broken folder %s doctor names what takes it away', (id, remedy) => {
  const broken = { reason: 'there is no module.json', enabled: false };
  const found = moduleFindings([module(id, { disabled: true, broken })]);
  expect(found[1]).toMatchObject({ level: 'warning', remedy });
});

test('a broken folder that is named like a module elsewhere is not removed by that name', () => {
  const broken = { reason: 'there is no module.json', enabled: false };
  const found = moduleFindings([module('A'), module('A', { disabled: true, broken })]);
  expect(found[1]).toMatchObject({
    text: 'the folder A is broken: there is no module.json',
    remedy: expect.stringContaining('by hand'),
  });
});

test.each([
  ['DisabledByException', 'Error: no (index.js:1)', 'module A is not running: Error: no (index.js:1)'],
  ['DisabledByCrashLoop', '', 'module A is not running: DisabledByCrashLoop'],
])('one that was switched off by %s is a warning', (disableReason, disableReasonText, text) => {
  const found = moduleFindings([module('A', { disabled: true, disableReason, disableReasonText })]);
  expect(found[1]).toMatchObject({ level: 'warning', text });
});
