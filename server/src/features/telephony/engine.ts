import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { AppContext } from '../../app-context.ts';
import { createAsteriskEngine } from '../../engine/asterisk/asterisk-engine.ts';
import { obtainInstallation } from '../../engine/asterisk/installation/installation.ts';
import { lockOwner } from '../../engine/asterisk/installation/process-lock.ts';
import { createEngineParts } from '../../engine/asterisk/parts.ts';
import { createEngineStatus, type EngineStatus } from '../../engine/asterisk/process/engine-status.ts';
import { endLeftBehind } from '../../engine/asterisk/process/left-behind.ts';
import type { Site } from '../../engine/asterisk/site.ts';
import type { Engine } from '../../engine/engine.ts';
import { createNoneEngine } from '../../engine/none-engine.ts';
import { loadCertificate } from '../../http/certificate.ts';
import { createEngineLog } from './engine-log.ts';

export interface ConfiguredEngine {
  readonly engine: Engine;
  /** The state in one word, for the health answer. */
  readonly state: () => EngineStatus['state'];
  /** The same with the reason and everything else that is known. */
  readonly status: () => EngineStatus;
  /** Calls the listener when that changes. */
  readonly onStatus: (listener: () => void) => void;
}

/** The engine that the settings name. Startup does not wait for whatever it takes to get it going. */
export async function createConfiguredEngine(context: AppContext): Promise<ConfiguredEngine> {
  const { config, clock, log, errorLogger } = context;
  const { telephony, dataDir } = config;
  if (telephony.engine === 'none' || process.platform !== 'linux') {
    const lastError = 'Asterisk runs on Linux only';
    const since = new Date(clock.now()).toISOString();
    if (telephony.engine !== 'none') log.warn(`no telephony engine: ${lastError}`);
    endLeftBehindBeside(context);
    return {
      engine: createNoneEngine(),
      state: () => 'none',
      status: () => ({ state: 'none', since, restarts: 0, lastError }),
      onStatus: () => {},
    };
  }
  const statusListeners: (() => void)[] = [];
  const logStatus = createEngineLog({ log, clock });
  const status = createEngineStatus({
    clock,
    onChange(now) {
      logStatus(now);
      for (const listener of statusListeners) listener();
    },
  });
  const { asterisk, stateDir, programEnvironment: env } = telephony;
  const shared = {
    createParts: createEngineParts,
    status,
    isExpected: telephony.engine === 'asterisk',
    clock,
    onError: errorLogger('the telephony engine'),
  };
  const site = await siteOf(context);
  const { remote } = asterisk;
  if (remote) endLeftBehindBeside(context);
  // Before anybody can ask: the status of an earlier service is not true any more.
  if ((await lockOwner(join(stateDir, 'service.lock'))) === undefined) status.saveIn(stateDir);
  await status.saved();
  const engine = remote
    ? createAsteriskEngine({
        ...shared,
        from: {
          site: {
            ...site,
            etcDir: remote.etcDir,
            logDir: remote.logDir,
            journalFile: journalIn(remote.logDir),
            ami: remote,
            version: { major: 0, text: 'of a remote engine' },
            modulesDir: undefined,
            shareDir: undefined,
          },
          tls: remote.isTls ? (remote.caFile ? { ca: readFileSync(remote.caFile) } : {}) : undefined,
        },
      })
    : createAsteriskEngine({
        ...shared,
        from: {
          site,
          env: { ...env, TZ: config.timezone },
          obtain: (onProgress, signal) =>
            obtainInstallation({
              program: asterisk.program,
              bundleDir: asterisk.bundleDir,
              mayFetch: asterisk.mayFetch,
              env,
              clock,
              signal,
              onProgress,
              onPassedOver: (reason) => log.warn(`skipped: ${reason}`),
            }),
        },
      });
  context.opened.defer(() => engine.close());
  return {
    engine,
    state: () => status.current().state,
    status: status.current,
    onStatus: (listener) => void statusListeners.push(listener),
  };

  async function siteOf({
    config: { tls, timezone, extensionLength, recordingsDir, soundsDir },
  }: AppContext) {
    // Phones see the certificate that browsers see. Without it all but TLS works.
    await loadCertificate({ dataDir, files: tls, now: clock.now() }).catch(errorLogger('SIP over TLS'));
    const logDir = join(stateDir, 'log');
    return {
      stateDir,
      etcDir: join(stateDir, 'etc'),
      logDir,
      spoolDir: join(stateDir, 'spool'),
      libDir: join(stateDir, 'lib'),
      recordingsDir: resolve(recordingsDir),
      soundsDir: resolve(soundsDir),
      journalFile: journalIn(logDir),
      sipHost: telephony.sipHost,
      sipPort: telephony.sipPort,
      tlsPort: telephony.sipTlsPort,
      tlsCertFile: resolve(tls?.certFile ?? join(dataDir, 'tls-cert.pem')),
      tlsKeyFile: resolve(tls?.keyFile ?? join(dataDir, 'tls-key.pem')),
      rtpFrom: telephony.rtpPorts.from,
      rtpTo: telephony.rtpPorts.to,
      silenceSeconds: telephony.silenceSeconds,
      sessionSeconds: telephony.sessionSeconds,
      externalAddress: telephony.externalAddress,
      localNetworks: telephony.localNetworks,
      systemName: await systemName(stateDir),
      extensionLength,
      timezone,
    } satisfies Omit<Site, 'ami' | 'version' | 'modulesDir' | 'shareDir'>;
  }
}

/** In the background: startup does not wait for it, shutdown does. */
function endLeftBehindBeside({ config, opened, errorLogger }: AppContext): void {
  const ended = endLeftBehind(config.telephony.stateDir).catch(
    errorLogger('an engine left over from an earlier run'),
  );
  opened.defer(() => ended);
}

const journalIn = (logDir: string): string => join(logDir, 'cel-custom', 'journal.csv');

/** Created once: ids of calls begin with it, and those of two nodes must differ. */
async function systemName(stateDir: string): Promise<string> {
  const file = join(stateDir, 'system-name');
  const known = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (/^pbx[a-f0-9]{6}$/.test(known)) return known;
  const made = `pbx${randomBytes(3).toString('hex')}`;
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  await writeFile(file, `${made}\n`, { mode: 0o600 });
  return made;
}
