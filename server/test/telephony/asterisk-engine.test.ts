import { afterAll, describe } from 'vitest';
import { engineSuite } from '../../src/engine/engine.suite.ts';
import { createAsteriskRigs } from './engine-rig.ts';
import { telephonyAvailable } from './exchange.ts';

describe.skipIf(!telephonyAvailable())('behind the port', () => {
  let rigs: ReturnType<typeof createAsteriskRigs> | undefined;
  afterAll(async () => (await rigs)?.close());

  engineSuite('Asterisk', async () => {
    rigs ??= createAsteriskRigs();
    return (await rigs).open();
  });
});
