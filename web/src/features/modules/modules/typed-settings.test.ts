import type { Module } from '@pbxcore/client';
import { expect, test } from 'vitest';
import { afterSaving, disputedOf, valuesOf, withTyped } from './typed-settings.ts';

const settings = { days: 14, key: 'XXXXXXXX', url: 'https://a.example' };
const module = {
  settings,
  settingFields: {
    days: { type: 'integer' },
    key: { type: 'string', secret: true },
    url: { type: 'string' },
  },
} as unknown as Module;

test('a value typed back to the stored one, or a secret left empty, counts as not typed', () => {
  const days = withTyped({}, 'days', '15', module);
  expect(valuesOf(days)).toEqual({ days: '15' });
  expect(withTyped(days, 'days', '14', module)).toEqual({});
  const key = withTyped({}, 'key', 'h', module);
  expect(valuesOf(key)).toEqual({ key: 'h' });
  expect(withTyped(key, 'key', '', module)).toEqual({});
  expect(valuesOf(withTyped({}, 'url', '', module))).toEqual({ url: '' });
});

test('only a field that somebody else changes while it is being edited is disputed', () => {
  const typed = withTyped({}, 'days', '15', module);
  expect(disputedOf(typed, { ...settings, url: 'https://b.example' })).toEqual([]);
  expect(disputedOf(typed, { ...settings, days: 7 })).toEqual(['days']);
});

test('what is typed while the rest is being saved stays typed', () => {
  const sent = withTyped(withTyped({}, 'days', '15', module), 'url', 'https://b.example', module);
  const now = withTyped(sent, 'days', '16', module);
  const stored = { ...module, settings: { ...settings, days: 15, url: 'https://b.example' } };
  expect(afterSaving(now, sent, stored)).toEqual({ days: { value: '16', over: 15 } });
  expect(afterSaving(sent, sent, stored)).toEqual({});
  const back = withTyped(sent, 'days', '14', module);
  expect(afterSaving(back, sent, stored)).toEqual({ days: { value: '14', over: 15 } });
});
