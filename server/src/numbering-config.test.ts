import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

const codes = (text: string, emergency?: string) => () =>
  readConfig({
    PBXCORE_FEATURE_CODES: text,
    ...(emergency !== undefined && { PBXCORE_EMERGENCY_NUMBERS: emergency }),
  }).numbering;

test.each([
  ['night=112', undefined, 'night=112 is the emergency number 112'],
  ['queue-login=11', undefined, 'queue-login=11 begins the emergency number 112'],
  ['queue-pause=9', '112,911', 'queue-pause=9 begins the emergency number 911'],
  ['night=1100', '110000', 'night=1100 begins the emergency number 110000'],
])('contract 20.4, 23.10: %s with emergency numbers %s is refused', (text, emergency, problem) => {
  expect(codes(text, emergency)).toThrow(
    `PBXCORE_FEATURE_CODES: ${problem} (PBXCORE_EMERGENCY_NUMBERS), which no phone could call any more, for example PBXCORE_FEATURE_CODES=`,
  );
});

test.each([
  ['night=112', 'none'],
  ['night=1120', '112'],
  ['night=,queue-login=12,queue-pause=*11', '112,911'],
])('%s with emergency numbers %s is taken', (text, emergency) => {
  expect(codes(text, emergency)).not.toThrow();
});
