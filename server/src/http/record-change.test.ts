import { expect, test, vi } from 'vitest';
import { enveloped, envelopedJson } from './answer.ts';
import { recordChange } from './record-change.ts';
import { type Resource, route, writes } from './route.ts';

const things: Resource = {
  path: '/api/v3/things',
  label: 'Things',
  description: '',
  levels: ['read', 'write'],
};
const create = route({
  method: 'POST',
  path: '/things',
  function: 'create',
  access: writes(things),
  summary: '',
  status: 201,
  handle: () => ({}),
});

const told = (value: unknown, id = '') => recordChange(create, { id, caller: undefined }, value);
/** The id of the created record, and whether the answer was parsed to find it. */
function idIn(json: string): { id: string | undefined; isParsed: boolean } {
  const parse = vi.spyOn(JSON, 'parse');
  const change = told(envelopedJson(json));
  const isParsed = parse.mock.calls.length > 0;
  parse.mockRestore();
  return { id: change?.id, isParsed };
}

test('a created record is reported with the id in the answer, a text or a number', () => {
  const change = { resource: 'things', path: '/api/v3/things', change: 'created', by: '' };
  expect(told({ id: '7' })).toEqual({ ...change, id: '7' });
  expect(told(enveloped({ id: 7 }, {}))?.id).toBe('7');
  expect(idIn('{"name":"x","id":"a\\u0062"}').id).toBe('ab');
  expect(idIn('{"name":"x","id":8}').id).toBe('8');
  for (const json of ['[]', '{}', 'null', '{"id":{}}', '{"id":true}']) expect(idIn(json).id, json).toBe('');
});

test('JSON of a module that is large or has many values is not parsed, and the event has no id', () => {
  const nothing = { id: '', isParsed: false };
  expect(idIn(`{"name":"${'x'.repeat(64 * 1024)}","id":"7"}`)).toEqual(nothing);
  expect(idIn(`{"list":[${'{},'.repeat(1000)}{}],"id":"7"}`)).toEqual(nothing);
  expect(idIn(`{"list":${'['.repeat(1001)}${']'.repeat(1001)},"id":"7"}`)).toEqual(nothing);
  expect(idIn(`{"list":[${'{},'.repeat(900)}{}],"id":"7"}`)).toEqual({ id: '7', isParsed: true });
});

test('an id at the beginning of a record is read, however large the record is', () => {
  expect(idIn(`{"id":"123","text":"${'x'.repeat(1024 * 1024)}"}`)).toEqual({ id: '123', isParsed: false });
});

test('an id longer than 255 characters is not reported', () => {
  const [longest, longer] = ['x'.repeat(255), 'x'.repeat(256)];
  expect(told({ id: longest })?.id).toBe(longest);
  expect(told({ id: longer })?.id).toBe('');
  expect(idIn(JSON.stringify({ id: longer })).id).toBe('');
  expect(told({}, longest)?.id).toBe(longest);
  expect(told({}, longer)?.id).toBe('');
});
