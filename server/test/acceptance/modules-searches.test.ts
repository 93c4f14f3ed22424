import { describe, expect, test } from 'vitest';
import { manifestOf } from '../module-fixtures.ts';
import { useModules } from '../module-rig.ts';
import { makeSearchesEndless } from './cdr-rig.ts';
import { availablePairs } from './use-app.ts';

const CODE = `
export default {
  resources: [{
    path: '/pbxcore/api/v3/module-searcher/x', permission: 'x', channels: ['bearer_token'],
    actions: [{
      name: 'twice', verb: 'GET',
      async handle(call, context) {
        const search = (core) => core.calls({ search: '20210' }).then(() => 200, ({ status }) => status);
        return Promise.all([search(context.core), search(call.core)]);
      },
    }],
  }],
};
`;

describe.each(availablePairs)('searches of a module, on $name', ({ open }) => {
  const running = useModules({
    open,
    cdrLimits: { searchMs: 6000, ownWaitMs: 1000 },
    write: (dir) => dir.write(manifestOf('Searcher', { reads: ['calls'] }), CODE),
    enable: ['Searcher'],
  });

  test('a module has one search of calls at a time, with the same time limit as other callers', async () => {
    const mend = await makeSearchesEndless(running.stores);
    const { body } = await running.asAdmin('GET', '/module-searcher/x:twice');
    expect(body.data).toEqual([503, 429]);
    await mend();
  });
});
