import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normaliseNumber } from './phone-number.js';

const rules = { countryCode: '49', trunkPrefix: '0', internationalPrefix: '00' };

test('every way of writing a number gives the same number', () => {
  for (const written of [
    '+493012345678',
    '0049 30 12345678',
    '030 / 123-456.78',
    '+49 (0)30 12345678',
    '4930 12345678',
    ' 030 12345678 ',
  ])
    assert.equal(normaliseNumber(written, rules), '+493012345678', written);
});

test('an extension stays as it is, and a foreign number keeps its country', () => {
  assert.equal(normaliseNumber('201', rules), '201');
  assert.equal(normaliseNumber('0043 1 5550123', rules), '+4315550123');
  assert.equal(normaliseNumber('+1 202 555 0123', rules), '+12025550123');
  assert.equal(
    normaliseNumber('2025550123', { ...rules, countryCode: '1', trunkPrefix: '' }),
    '+12025550123',
  );
});

test('a text that is not a number gives none', () => {
  for (const written of ['', ' ', '+', 'anonymous', '12a', '1'.repeat(21), '=1+2'])
    assert.equal(normaliseNumber(written, rules), undefined, written);
});
