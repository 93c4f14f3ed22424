import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import { readEngineStatus } from '../../src/engine/asterisk/process/engine-status.ts';
import type { DesiredProvider } from '../../src/engine/desired-state.ts';
import type { EngineRig } from '../../src/engine/engine.suite.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { createConfiguredEngine } from '../../src/features/telephony/engine.ts';
import { systemClock, systemSteadyClock } from '../../src/lib/clock.ts';
import { type Phone, startPhone } from '../real/baresip.ts';
import { BUNDLE_DIR } from '../real/engine-bundle.ts';
import { createLoopbackNet } from '../real/loopback.ts';
import { ACCOUNT, startProvider } from '../real/provider-asterisk.ts';
import { soon } from '../real/soon.ts';

const rule = { source: 'default', customHeader: '', parserStart: '', parserEnd: '', parserRegex: '' };
const NOTHING = { extensions: [], providers: [], refusedSources: [] };

/** The fetched Asterisk, in its own folder and on its own address. */
export const engineConfig = (dataDir: string, address: string) =>
  readConfig({
    PBXCORE_DATA_DIR: dataDir,
    PBXCORE_ENGINE: 'asterisk',
    PBXCORE_ASTERISK_BUNDLE_DIR: BUNDLE_DIR,
    PBXCORE_ASTERISK_FETCH: 'no',
    PBXCORE_SIP_HOST: address,
    PATH: process.env.PATH,
  });

/** Asterisk behind the port, a provider and phones; one Asterisk serves all tests and is emptied after each. */
export async function createAsteriskRigs() {
  const net = createLoopbackNet();
  const address = net.next();
  const dataDir = await mkdtemp(join(tmpdir(), 'pbxcore-engine-'));
  const company = await startProvider(net.next());
  const opened = new AsyncDisposableStack();
  const { engine } = await createConfiguredEngine({
    config: engineConfig(dataDir, address),
    clock: systemClock,
    steady: systemSteadyClock,
    log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
    opened,
    errorLogger: (what) => (error) => console.error(what, error),
  });
  const provider: DesiredProvider = {
    id: 'SIP-TRUNK-0000TEST',
    description: 'Provider',
    registration: 'outbound',
    host: company.address,
    port: 5060,
    additionalHosts: [],
    ...ACCOUNT,
    transports: ['udp'],
    dtmfMode: 'auto',
    qualifySeconds: 60,
    fromUser: '',
    fromDomain: '',
    hidesFromUser: false,
    outboundProxy: '',
    manualAttributes: '',
    callerIdRule: rule,
    didRule: rule,
  };

  async function pid(): Promise<number> {
    const status = await readEngineStatus(join(dataDir, 'engine'));
    if (!status?.pid) throw new Error('the engine has no process');
    return status.pid;
  }

  /** The next test must not get events about what this one left behind. */
  async function empty(phones: ReadonlyMap<string, Phone>): Promise<void> {
    for (const phone of phones.values()) await phone.leave();
    const places = new Set([...phones.values()].map(({ address }) => address));
    await soon(async () => {
      const devices = (await engine.extensionStatuses()).flatMap((status) => status.devices);
      if (devices.some(({ address }) => places.has(address))) throw new Error('phones are still there');
      if ((await engine.activeCalls()).length > 0) throw new Error('calls are still there');
    });
    await engine.apply(NOTHING);
  }

  return {
    async open(): Promise<EngineRig> {
      await upAgain(engine);
      await engine.apply(NOTHING);
      const phones = new Map<string, Phone>();
      let isClosed = false;
      const phoneOf = (number: string): Phone => {
        const phone = phones.get(number);
        if (!phone) throw new Error(`${number} has no phone`);
        return phone;
      };
      return {
        // Closing is the only thing the suite does to the engine that cannot be undone.
        engine: {
          ...engine,
          close() {
            isClosed = true;
            return engine.close();
          },
        },
        provider,
        async registerPhone(number, secret) {
          phones.set(number, await startPhone({ number, secret, address: net.next(), server: address }));
        },
        async unregisterPhone(number) {
          const phone = phoneOf(number);
          phones.delete(number);
          // A closed engine can no longer answer an unregistration.
          await (isClosed ? phone.unplug() : phone.leave());
        },
        async call(from, to) {
          await phoneOf(from).dial(to);
          await phoneOf(to).next('CALL_INCOMING');
          return {
            async answer() {
              await phoneOf(to).answer();
              await phoneOf(from).next('CALL_ESTABLISHED');
            },
            hold: () => phoneOf(from).hold(),
            resume: () => phoneOf(from).resume(),
            async hangUp() {
              await phoneOf(from).hangUp();
              await Promise.all([phoneOf(from).next('CALL_CLOSED'), phoneOf(to).next('CALL_CLOSED')]);
            },
          };
        },
        stopEngine: async () => void process.kill(await pid(), 'SIGKILL'),
        // It restarts by itself.
        startEngine: async () => {},
        async close() {
          if (!isClosed) await empty(phones);
          else for (const phone of phones.values()) await phone.unplug();
        },
      };
    },
    async close(): Promise<void> {
      await opened.disposeAsync();
      await company.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Resolves when the engine can be used. */
function upAgain(engine: Engine): Promise<void> {
  return new Promise((resolve) => {
    const stop = engine.listen(({ type }) => {
      if (type !== 'engine-up') return;
      resolve();
      queueMicrotask(() => stop());
    });
  });
}
