import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AS_SPECIFIED, CLIENT_NAMES } from '../../src/lib/bouncer-options.ts';
import { createOutsider } from '../outsider.ts';
import { availablePairs, useApp } from './use-app.ts';

const ALL = {
  deleted_excludes_present: true,
  one_per_address: true,
  duration_format: 'go',
  subtract_whitelist: true,
};

describe.each(availablePairs)('contract 17.20: options of an API key on $name', ({ open }) => {
  const running = useApp(open);
  const create = (fields: object = {}) =>
    running.asAdmin('POST', '/api-keys', { description: 'bouncer', ...fields });
  const created = async (fields: object = {}) => (await create(fields)).body.data;
  const read = async (id: string) => (await running.asAdmin('GET', `/api-keys/${id}`)).body.data;
  const patched = async (id: string, fields: object) =>
    (await running.asAdmin('PATCH', `/api-keys/${id}`, fields)).body.data;

  test('options that are sent are stored and shown with the key and in the list, others are as specified', async () => {
    const some = await created({ bouncer_options: { one_per_address: true } });
    expect(some).toMatchObject({ client: '', bouncer_options: { ...AS_SPECIFIED, one_per_address: true } });
    const all = await created({ bouncer_options: ALL });
    expect((await read(all.id)).bouncer_options).toEqual(ALL);
    const { body } = await running.asAdmin('GET', '/api-keys');
    const listed = body.data.find(({ id }: { id: string }) => id === all.id);
    expect(listed).toMatchObject({ client: '', bouncer_options: ALL });
  });

  test.each([
    ['crowdsec-firewall-bouncer', {}],
    ['custom', {}],
    ['nodejs', { deleted_excludes_present: true }],
    ['express', { duration_format: 'go_fraction' }],
    ['crowdsec-client', { deleted_excludes_present: true, duration_format: 'go' }],
    ['lua', {}],
    ['traefik', { deleted_excludes_present: true }],
    ['php', { deleted_excludes_present: true }],
    ['haproxy', { deleted_excludes_present: true }],
    ['cloudflare', { deleted_excludes_present: true }],
    ['mirror', { deleted_excludes_present: true }],
    ['pycrowdsec', {}],
    ['caddy', {}],
  ])('the client %s sets %j', async (client, options) => {
    const key = await created({ client });
    expect(key).toMatchObject({ client, bouncer_options: { ...AS_SPECIFIED, ...options } });
    expect(await read(key.id)).toMatchObject({ client, bouncer_options: key.bouncer_options });
  });

  test('options sent together with a client override it, and a warning names those that differ', async () => {
    const { status, body } = await create({
      client: 'traefik',
      bouncer_options: { subtract_whitelist: true, deleted_excludes_present: true },
    });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      client: 'traefik',
      bouncer_options: { ...AS_SPECIFIED, deleted_excludes_present: true, subtract_whitelist: true },
    });
    expect(body.messages.warning).toEqual([expect.stringMatching(/subtract_whitelist .*traefik/)]);
  });

  test('PATCH keeps options that are not sent; a client sets all of them, an empty client resets them', async () => {
    const { id } = await created({ client: 'crowdsec-client' });
    const options = { ...AS_SPECIFIED, deleted_excludes_present: true, duration_format: 'go' };
    expect(await patched(id, { description: 'other' })).toMatchObject({ bouncer_options: options });
    expect(await patched(id, { bouncer_options: { one_per_address: true } })).toMatchObject({
      client: 'crowdsec-client',
      bouncer_options: { ...options, one_per_address: true },
    });
    expect(await patched(id, { client: 'express' })).toMatchObject({
      client: 'express',
      bouncer_options: { ...AS_SPECIFIED, duration_format: 'go_fraction' },
    });
    expect(await patched(id, { client: '' })).toMatchObject({ client: '', bouncer_options: AS_SPECIFIED });
  });

  test('PUT replaces the options, and a record that was read can be put back', async () => {
    const { id } = await created({ client: 'php', bouncer_options: { one_per_address: true } });
    const before = await read(id);
    expect((await running.asAdmin('PUT', `/api-keys/${id}`, before)).status).toBe(200);
    expect(await read(id)).toEqual(before);
    const { body } = await running.asAdmin('PUT', `/api-keys/${id}`, { description: 'put' });
    expect(body.data).toMatchObject({ client: '', bouncer_options: AS_SPECIFIED });
  });

  test.each([
    [{ client: 'nginx' }, /^client: .*crowdsec-firewall-bouncer.*caddy/],
    [{ client: 'Traefik' }, /^client: /],
    [{ client: 5 }, /^client: /],
    [
      { bouncer_options: { duration_format: 'minutes' } },
      /^bouncer_options: duration_format: .*seconds, go, go_fraction/,
    ],
    [{ bouncer_options: { one_per_address: 'maybe' } }, /^bouncer_options: one_per_address: .*true or false/],
    [
      { bouncer_options: { dedup: true } },
      /^bouncer_options: dedup .*deleted_excludes_present, one_per_address/,
    ],
    [{ bouncer_options: [] }, /^bouncer_options: must be an object/],
    [{ bouncer_options: 'go' }, /^bouncer_options: must be an object/],
  ])('%j is 400, naming the field and the allowed values', async (fields, words) => {
    const { status, body } = await create(fields);
    expect(status).toBe(400);
    expect(body.messages.error).toEqual([expect.stringMatching(words)]);
  });

  test('stored options that cannot be read count as specified, and the key still works', async () => {
    const { id, key } = await created({
      client: 'traefik',
      allowed_paths: { '/api/v3/firewall-bouncer': 'read' },
    });
    for (const text of ['{broken', '[]', '7', '{"duration_format":"weeks"}', '{"more":1}']) {
      await createOutsider(running.stores).sql(
        `update api_keys set bouncer_options = '${text}' where id = ${id}`,
      );
      expect((await read(id)).bouncer_options, text).toEqual(AS_SPECIFIED);
      expect((await running.call('GET', '/firewall-bouncer/v1/decisions/stream', { key })).status).toBe(200);
    }
  });

  test('a key may change the options of keys that are not stronger than itself', async () => {
    const { id } = await created({ allowed_paths: { '/api/v3/firewall-bouncer': 'read' } });
    const keyring = { '/api/v3/api-keys': 'write', '/api/v3/firewall-bouncer': 'read' };
    const changer = await running.keyFor(keyring, { description: 'changer' });
    const body = { client: 'haproxy', bouncer_options: { subtract_whitelist: true } };
    expect(await running.call('PATCH', `/api-keys/${id}`, { key: changer, body })).toMatchObject({
      status: 200,
    });
    const { id: stronger } = await created({ full_permissions: true });
    expect(await running.call('PATCH', `/api-keys/${stronger}`, { key: changer, body })).toMatchObject({
      status: 403,
    });
  });
});

test('every client has a row in docs/bouncers.md', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../docs/bouncers.md'), 'utf8');
  expect(CLIENT_NAMES.filter((name) => !text.includes(`\n| \`${name}\` |`))).toEqual([]);
});
