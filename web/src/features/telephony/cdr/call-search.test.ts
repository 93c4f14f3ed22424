import { expect, test } from 'vitest';
import { parseCallSearch, withFilter } from './call-search.ts';

test.each([
  ['', {}],
  ['   ', {}],
  ['201', { search: '201' }],
  ['anna  smith', { search: 'anna smith' }],
  ['"anna smith"', { search: 'anna smith' }],
  ['from:201', { src_num: '201' }],
  ['FROM:201 To:+4930', { src_num: '201', dst_num: '+4930' }],
  ['from:201 to:+49 disposition:busy provider:x longer:60', fromAll()],
  ['did:4930 anna', { did: '4930', search: 'anna' }],
  ['call:pbx-1731888000.12', { linkedid: 'pbx-1731888000.12' }],
  ['provider:"My provider"', { provider: 'My provider' }],
  ['disposition:"no answer"', { disposition: 'NO ANSWER' }],
  ['disposition:no-answer', { disposition: 'NO ANSWER' }],
  ['disposition:NOANSWER', { disposition: 'NO ANSWER' }],
  ['disposition:missed', { disposition: 'NO ANSWER' }],
  ['disposition:chanunavail', { disposition: 'CHANUNAVAIL' }],
  ['longer:1:30', { billsecFrom: 90 }],
  ['longer:5m', { billsecFrom: 300 }],
  ['longer:1H', { billsecFrom: 3600 }],
  ['longer:0', { billsecFrom: 0 }],
  ['<img src=x onerror=alert(1)>', { search: '<img src=x onerror=alert(1)>' }],
  ['ё\u202e', { search: 'ё\u202e' }],
])('%j is understood', (text, query) => {
  expect(parseCallSearch(text)).toEqual({ query, problems: [] });
});

function fromAll() {
  return { src_num: '201', dst_num: '+49', disposition: 'BUSY', provider: 'x', billsecFrom: 60 };
}

test.each([
  ['form:201 202', 'unknown', 'form:201', { search: '202' }],
  ['constructor:1', 'unknown', 'constructor:1', {}],
  ['from: 201', 'empty', 'from:', { search: '201' }],
  ['from:""', 'empty', 'from:""', {}],
  ['from:1 from:2', 'twice', 'from:2', { src_num: '1' }],
  ['disposition:maybe', 'disposition', 'disposition:maybe', {}],
  ['disposition:constructor', 'disposition', 'disposition:constructor', {}],
  ['longer:soon', 'seconds', 'longer:soon', {}],
  ['longer:-5', 'seconds', 'longer:-5', {}],
  ['longer:1:75', 'seconds', 'longer:1:75', {}],
])('in %j a word without effect is reported as %s', (text, kind, word, query) => {
  expect(parseCallSearch(text)).toEqual({ query, problems: [{ kind, word }] });
});

test('a text of any length and any characters is read without an error', () => {
  for (const text of ['"', ':', '::', 'from:"', '"a" "', 'x'.repeat(100_000), 'a:'.repeat(10_000)])
    expect(() => parseCallSearch(text)).not.toThrow();
  expect(parseCallSearch('"unclosed').query).toEqual({ search: '"unclosed' });
});

test('a filter can be set, replaced and removed without changing the rest', () => {
  expect(withFilter('', 'disposition', 'BUSY')).toBe('disposition:BUSY');
  expect(withFilter('anna from:201', 'disposition', 'NO ANSWER')).toBe(
    'anna from:201 disposition:"NO ANSWER"',
  );
  expect(withFilter('disposition:"NO ANSWER" anna', 'disposition', 'BUSY')).toBe('anna disposition:BUSY');
  expect(withFilter('Disposition:busy anna', 'disposition', '')).toBe('anna');
});
