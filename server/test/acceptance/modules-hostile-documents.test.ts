import { describe, expect, test } from 'vitest';
import { useHostile } from '../hostile-rig.ts';
import { manifestOf, manifestOfOlder } from '../module-fixtures.ts';

const resourceOf = (id: string, more: string) =>
  `{ path: '/pbxcore/api/v3/module-${id.toLowerCase()}/x', permission: 'x', channels: ['localhost'], ${more} }`;
const actions = (count: number) =>
  `actions: Array.from({ length: ${count} }, (_, n) => ({ name: 'a' + n, verb: 'GET', handle: () => ({}) }))`;
const fields = (count: number) =>
  `stored: true, fields: Object.fromEntries(Array.from({ length: ${count} }, (_, n) => ['f' + n, { type: 'string' }]))`;

describe('the description of a module spoils no document of the exchange', () => {
  const { running } = useHostile();
  const { asAdmin } = running;

  test('its values define no schema, and its labels replace no label of the core', async () => {
    const code = `export default { resources: [${resourceOf(
      'Spoils',
      `label: 'API keys', description: 'mine', stored: true, fields: {
      a: { type: 'object', default: { $id: 'Module' } }, b: { type: 'array', default: [{ $id: 'Employee' }] }, c: { type: 'object', default: { $id: 'Mine' } } }`,
    )}] };`;
    const before = (await asAdmin('GET', '/openapi:getSpecification')).body;
    await running.dir.write(manifestOf('Spoils'), code);
    expect((await asAdmin('POST', '/modules/Spoils:enable')).status).toBe(200);
    const { status, body } = await asAdmin('GET', '/openapi:getSpecification');
    expect(status).toBe(200);
    expect(Object.keys(body.components.schemas)).not.toContain('Mine');
    for (const name of ['Module', 'Employee'])
      expect(body.components.schemas[name], name).toEqual(before.components.schemas[name]);
    const others = body.tags.filter(({ name }: { name: string }) => name !== 'API keys (Spoils)');
    expect(others).toEqual(before.tags);
  });
});

describe('settings declared by a module', () => {
  const { running } = useHostile();

  test.each([
    ['Choices', { type: 'integer', enum: 5 }, 'enum must be a list'],
    ['Nothing', { type: 'string', readOnly: true, enum: [null] }, 'enum must list texts'],
    ['Objects', { type: 'boolean', description: { x: 1 } }, 'description must be a text'],
  ])('%s: a setting that the page could not show marks the module as broken', async (id, field, reason) => {
    await running.dir.write(manifestOf(id, { settings: { a: field } }));
    const { status, body } = await running.asAdmin('POST', `/modules/${id}:enable`);
    expect(status).toBe(422);
    expect(body.messages.error[0]).toContain(reason);
    const read = await running.asAdmin('GET', `/modules/${id}`);
    expect(read.status).toBe(200);
    expect(read.body.data).toMatchObject({
      disabled: true,
      broken: { reason: expect.stringContaining(reason), enabled: false },
    });
    expect(read.body.data.settingFields).toEqual({});
    expect((await running.asAdmin('GET', '/modules')).body.data).toContainEqual(read.body.data);
  });
});

describe('the description of a module', () => {
  const { running, meanwhile } = useHostile();

  async function refused(id: string, code: string, manifest = manifestOf(id)): Promise<string> {
    await running.dir.write(manifest, code);
    const enable = () => running.asAdmin('POST', `/modules/${id}:enable`);
    const { status, body } = await meanwhile(id, async () => {
      await enable();
      return enable();
    });
    expect(status).toBe(422);
    return body.messages.error[0];
  }
  const rows = (count: number) =>
    `export default { controllers: { C: { a: () => ({}) } }, routes: Array.from({ length: ${count} }, (_, n) => ['C', 'a', '/pbxcore/api/rows/r' + n + '/{a}/{b}', 'get', '/', true]) };`;

  test('is bounded, and the error names the exceeded bound', async () => {
    const many = (one: string, count: number) =>
      `export default { resources: Array.from({ length: ${count} }, (_, n) => ({ ...${one}, path: '/pbxcore/api/v3/module-many/x' + n })) };`;
    expect(
      await refused('Acts', `export default { resources: [${resourceOf('Acts', actions(201))}] };`),
    ).toContain('x: more than 200 actions');
    expect(await refused('Many', many(resourceOf('Many', actions(200)), 3))).toContain(
      'more than 500 actions',
    );
    expect(await refused('Many', many(resourceOf('Many', fields(200)), 11))).toContain(
      'more than 2000 fields',
    );
    expect(await refused('Rows', rows(501), manifestOfOlder('Rows', 2))).toContain('more than 500 routes');
  });

  test('delays neither the document nor unknown paths, even at its maximum size', async () => {
    await running.dir.write(manifestOfOlder('Full', 2), rows(500));
    expect((await running.asAdmin('POST', '/modules/Full:enable')).status).toBe(200);
    const code = `export default { resources: [${resourceOf('Large', `${actions(200)}, ${fields(200)}`)}] };`;
    await running.dir.write(manifestOf('Large'), code);
    expect((await running.asAdmin('POST', '/modules/Large:enable')).status).toBe(200);
    const headers = { authorization: `Bearer ${await running.app.admin()}` };
    // Not parsed, because this thread's CPU time is measured.
    const document = async () => {
      const answer = await fetch(`${running.app.origin}/pbxcore/api/v3/openapi:getSpecification`, {
        headers,
      });
      return { status: answer.status, size: (await answer.arrayBuffer()).byteLength };
    };
    // The document is rendered once per state, even if modules restart meanwhile.
    const [began, { size }] = [process.threadCpuUsage(), await document()];
    const { user, system } = process.threadCpuUsage(began);
    console.log(`the document has ${size} bytes, and was made in ${((user + system) / 1000).toFixed(1)} ms`);
    await meanwhile('documents', async () => {
      for (let n = 0; n < 5; n++) expect(await document()).toEqual({ status: 200, size });
      for (let n = 0; n < 50; n++)
        expect((await running.outside('GET', `/rows/none/${n}/b/c`)).status).toBe(404);
    });
    expect((await running.outside('GET', '/rows/r499/1/2')).status).toBe(200);
  });
});
