import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { storePairs } from '../make-app.ts';
import { missingProgram } from '../real/bouncer.ts';
import { realPart } from '../real/require-real.ts';
import { startProcess } from '../real/running-process.ts';
import { useClientRig } from './client-rig.ts';

// Debian's custom bouncer passes every decision to a program: on its stdin, or with one invocation each.
const installed = realPart('crowdsec-custom-bouncer', !missingProgram('crowdsec-custom-bouncer'));
const PROGRAMS = {
  input: '#!/bin/sh\nexec cat >> "$0.told"\n',
  calls: '#!/bin/sh\nprintf \'%s\\n\' "$1 $2 $4" >> "$0.told"\n',
};

describe.skipIf(!installed).each(storePairs.filter(({ available }) => available))(
  'the stock custom bouncer, service on $name',
  (pair) => {
    const rig = useClientRig(pair);

    test.each(['input', 'calls'] as const)(
      'adds a ban as soon as it exists and deletes it after its lift or end: %s',
      async (feed) => {
        const { app, url, ban, lift } = rig;
        await ban('203.0.113.7', 600);
        const told = await startCustomBouncer(feed, `${url}/`, (await app.createKey()).key);
        const expectTold = (line: string) =>
          expect.poll(told, { timeout: 45_000, interval: 50 }).toContain(line);

        await expectTold('add 203.0.113.7 pbx/sip');
        await ban('2001:db8::7', 60);
        await ban('198.51.100.0/24', 600);
        await expectTold('add 2001:db8::7 pbx/sip');
        await expectTold('add 198.51.100.0/24 pbx/sip');
        expect(await told()).not.toContainEqual(expect.stringMatching(/^del/));

        await lift('203.0.113.7');
        await expectTold('del 203.0.113.7 pbx/sip');
        await app.advance(61_000);
        await expectTold('del 2001:db8::7 pbx/sip');
        expect(await told()).not.toContain('del 198.51.100.0/24 pbx/sip');
      },
    );
  },
);

/** Starts it; the result returns what its program received so far: `<action> <value> <scenario>`. */
async function startCustomBouncer(feed: keyof typeof PROGRAMS, url: string, key: string) {
  const folder = await mkdtemp(join(tmpdir(), 'pbxcore-custom-'));
  const program = join(folder, 'program');
  await writeFile(program, PROGRAMS[feed]);
  await chmod(program, 0o755);
  const config = {
    bin_path: program,
    feed_via_stdin: feed === 'input',
    total_retries: 0,
    api_url: url,
    api_key: key,
    update_frequency: '1s',
    cache_retention_duration: '10s',
    daemonize: true,
    piddir: folder,
    log_mode: 'stdout',
    log_level: 'info',
    prometheus: { enabled: false },
  };
  // JSON is YAML.
  await writeFile(join(folder, 'bouncer.yaml'), JSON.stringify(config), { mode: 0o600 });
  const bouncer = startProcess('crowdsec-custom-bouncer', ['-c', join(folder, 'bouncer.yaml')]);
  onTestFinished(async () => {
    await bouncer.stop();
    if (process.env.TEST_LOG) console.log(bouncer.lines.join('\n'));
    await rm(folder, { recursive: true, force: true });
  });
  return async (): Promise<string[]> => {
    if (!bouncer.alive) throw new Error(`the bouncer ended:\n${bouncer.lines.join('\n')}`);
    const text = await readFile(`${program}.told`, 'utf8').catch(() => '');
    const lines = text.split('\n').slice(0, -1); // the last one may be half written
    if (feed === 'calls') return lines;
    return lines.map((line) => {
      const { action, value, scenario } = JSON.parse(line);
      return `${action} ${value} ${scenario}`;
    });
  };
}
