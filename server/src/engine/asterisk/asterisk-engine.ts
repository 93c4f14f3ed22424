import type { ConnectionOptions } from 'node:tls';
import type { Clock } from '../../lib/clock.ts';
import { EngineAway } from '../../lib/errors.ts';
import type { DesiredState } from '../desired-state.ts';
import type { Engine, EngineListener } from '../engine.ts';
import type { EngineEvent } from '../events.ts';
import { unusableFolder } from './config/folders.ts';
import { type AmiPlace, createAmi } from './control/ami.ts';
import { createPulse } from './control/pulse.ts';
import { isSupported, parseVersion, supportedVersions } from './installation/asterisk-version.ts';
import type { EngineParts, PartOptions } from './parts.ts';
import type { EngineStatusKeeper } from './process/engine-status.ts';
import { cannotListen, missingTransports } from './process/listening.ts';
import { createLocalAsterisk, type LocalOptions } from './process/local-asterisk.ts';
import type { Site } from './site.ts';

/** An Asterisk that somebody else runs and that reads the files we write. */
interface RemoteOptions {
  readonly site: Site;
  readonly tls: ConnectionOptions | undefined;
}

interface AsteriskEngineOptions {
  readonly from: Pick<LocalOptions, 'obtain' | 'site' | 'env'> | RemoteOptions;
  readonly createParts: (options: PartOptions) => EngineParts;
  readonly status: EngineStatusKeeper;
  /** The settings demand an engine: while there is none, it counts as away. */
  readonly isExpected: boolean;
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

const NOTHING: DesiredState = { extensions: [], providers: [], refusedSources: [] };

/** Asterisk behind the port. Returns at once; `engine-up` signals that it can be used. */
export function createAsteriskEngine(options: AsteriskEngineOptions): Engine {
  const { from, createParts, status, isExpected, clock, onError } = options;
  const listeners = new Set<EngineListener>();
  let site: Site | undefined;
  let parts: EngineParts | undefined;
  let place: AmiPlace | undefined;
  let lastState: DesiredState | undefined;
  let isUp = false;
  let closing: Promise<void> | undefined;
  /** Counts connections, so that work begun on a lost one is not taken for work on the next. */
  let connectionCount = 0;

  const tell = (event: EngineEvent) => {
    for (const listener of [...listeners]) listener(event);
  };

  const ami = createAmi({
    place: () => place,
    onUp: () => {
      pulse.hurry();
      void up(++connectionCount).catch(onError);
    },
    onDown: (reason) => down(reason.message),
    onFailed: (reason) => {
      if (status.current().state === 'up') return;
      if (!('obtain' in from)) status.set({ state: 'away', lastError: reason.message });
    },
    onDefect: onError,
  });

  const pulse = createPulse({
    place: () => place,
    connection: ami,
    onLost: () => parts?.holdsLost(),
    onDefect: onError,
  });

  async function up(connection: number): Promise<void> {
    try {
      if (!(await examine())) return;
      await parts?.reconcile();
    } catch (error) {
      if (connection === connectionCount && ami.isUp) onError(error);
    }
    if (connection !== connectionCount || !ami.isUp || isUp) return;
    isUp = true;
    status.set({ state: 'up' });
    tell({ type: 'engine-up' });
  }

  function down(reason: string): void {
    connectionCount++;
    parts?.engineLost();
    if (!isUp) return;
    isUp = false;
    if (closing) return;
    status.set({ state: 'away', lastError: reason });
    tell({ type: 'engine-down' });
  }

  /**
   * Whether the engine is usable. A single wrong word in a file makes Asterisk ignore the whole file, and without its
   * journal no call would be stored.
   */
  async function examine(): Promise<boolean> {
    const journal = await ami.command('cel show status');
    if (!/CEL Logging: Enabled/.test(journal) || !/CEL Custom/i.test(journal))
      status.set({ lastError: 'the engine keeps no journal of calls; check its log' });
    const missing = missingTransports(await ami.command('pjsip show transports'));
    if (missing.length > 0) {
      const reason = cannotListen(site?.sipPort, missing);
      // A remote engine may not have read our files yet.
      if (!local) status.set({ lastError: reason });
      else {
        local.restart(reason);
        return false;
      }
    }
    if (local) return true;
    const version = parseVersion((await ami.action('CoreSettings')).AsteriskVersion ?? '');
    const { host, port: amiPort } = (site as Site).ami;
    const installation = { kind: 'remote', where: `${host}:${amiPort}`, version: version?.text ?? '?' };
    status.set({ installation });
    if (!version || !isSupported(version))
      status.set({ lastError: `Asterisk ${version?.text ?? '?'} is not ${supportedVersions}` });
    return true;
  }

  function present(): EngineParts {
    if (!parts || !isUp) throw new EngineAway('the telephony engine is not reachable');
    return parts;
  }

  function settle(at: Site, tls?: ConnectionOptions): void {
    site = at;
    parts ??= createParts({ ami, ofCalls: pulse, site: at, clock, tell, onError });
    if (at.ami.secret === '') return;
    place = { ...at.ami, ...(tls && { tls }) };
    ami.hurry();
  }

  const rendered = (state: DesiredState, at: Site) => (parts as EngineParts).render(state, at);
  const local = begin();

  /** Our own engine is run from here; to a remote one there is only a connection. */
  function begin() {
    const unusable = unusableFolder(from.site);
    if (unusable !== undefined) return void status.set({ state: 'none', lastError: unusable });
    if (!('obtain' in from)) return settle(from.site, from.tls);
    return createLocalAsterisk({
      ...from,
      clock,
      connection: ami,
      status,
      onSite: settle,
      renderEmpty: (at) => rendered(NOTHING, at),
      renderLast: (at) => lastState && rendered(lastState, at),
      write: async (files) => parts?.write(files),
    });
  }

  async function close(): Promise<void> {
    listeners.clear();
    await parts?.close();
    await local?.close();
    pulse.close();
    ami.close();
    await status.close();
  }

  return {
    async apply(state) {
      const serving = present();
      const began = new Date(clock.now()).toISOString();
      lastState = state;
      await serving.prepare(state);
      await serving.apply(serving.render(state, site as Site));
      await serving.follow(state);
      status.set({ appliedAt: began });
    },
    extensionStatuses: async () => present().extensionStatuses(),
    providerStatuses: async () => present().providerStatuses(),
    activeCalls: async () => present().activeCalls(),
    queueStatuses: async () => present().queueStatuses(),
    originate: async (order) => present().orders.originate(order),
    hangUp: async (linkedId) => present().orders.hangUp(linkedId),
    transfer: async (order) => present().orders.transfer(order),
    legsStored: (legIds) => parts?.legsStored(legIds),
    capabilities() {
      const hasEngine = isExpected || status.current().state !== 'none';
      return { telephony: hasEngine, recording: hasEngine };
    },
    listen(listener) {
      listeners.add(listener);
      if (isUp) listener({ type: 'engine-up' });
      return () => void listeners.delete(listener);
    },
    leaveRunning: () => local?.leaveRunning(),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
