import { expect, test } from 'vitest';
import type { Call } from '../../../http/route.ts';
import { systemRoutes } from './system.routes.ts';

test('simultaneous health requests share one check of the stores; the next request checks again', async () => {
  const looks: PromiseWithResolvers<string[]>[] = [];
  const routes = systemRoutes({
    version: '2026.1.76',
    storeProblems() {
      looks.push(Promise.withResolvers());
      return (looks.at(-1) as PromiseWithResolvers<string[]>).promise;
    },
    metrics: { contentType: 'text/plain', text: async () => '' },
  });
  const health = routes.find(({ path }) => path === '/health');
  const ask = async () => health?.handle({} as Call<never, never, never>);

  const together = [ask(), ask(), ask()];
  expect(looks).toHaveLength(1);
  looks[0]?.resolve(['database']);
  for (const one of together) await expect(one).rejects.toThrow('database');

  const later = ask();
  expect(looks).toHaveLength(2);
  looks[1]?.resolve([]);
  await expect(later).resolves.toMatchObject({ status: 200 });
});
