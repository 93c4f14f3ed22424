// `npm run openapi`: writes openapi/pbxcore.json from the declared routes. With `--check` it only compares.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { createApp } from '../server/src/app.ts';
import { readConfig } from '../server/src/config.ts';
import { openapiDocument } from '../server/src/http/openapi.ts';
import { VERSION } from '../server/src/version.ts';
import { root } from './run-command.ts';

const file = join(root, 'openapi/pbxcore.json');
type Log = Parameters<typeof createApp>[0]['log'];
const log = { error: console.error, warn() {}, info() {}, debug() {} } as unknown as Log;

/** Routes are declared where the service is composed, so this starts it: with empty stores, on a free port. */
async function generate(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pbxcore-openapi-'));
  try {
    const config = readConfig({
      PBXCORE_HTTP_HOST: '127.0.0.1',
      PBXCORE_HTTP_PORT: '0',
      PBXCORE_HTTPS_PORT: 'off',
      PBXCORE_DATA_DIR: dataDir,
      PBXCORE_ENGINE: 'none',
    });
    const app = await createApp({ config, clock: { now: Date.now }, steady: { now: Date.now }, log });
    try {
      return `${JSON.stringify(openapiDocument(app.routes, VERSION), null, 2)}\n`;
    } finally {
      await app.close();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const made = await generate();
if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed !== made) {
    console.error(`${relative(root, file)} does not match the routes: run "npm run openapi" and commit it`);
    process.exitCode = 1;
  }
} else {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, made);
}
