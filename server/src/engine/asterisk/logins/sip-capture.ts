import { randomBytes } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../../../lib/clock.ts';
import { type Ami, AmiRefused } from '../control/ami.ts';
import { type CapturedMessage, readHep } from './hep.ts';

/** The module that sends us copies, and the one that hands SIP over to it; the second needs the first. */
const MODULES = ['res_hep.so', 'res_hep_pjsip.so'] as const;
/** How long nothing may have failed before copies stop. */
const CALM_MS = 600_000;
const CHECK_MS = 60_000;
/** For bursts, as far as the machine allows: what does not fit is lost. */
const BUFFER_BYTES = 4 * 1024 * 1024;
/** Pause after a failure, so that the engine is not asked with every packet of an attack. */
const RETRY_MS = 60_000;

interface CaptureOptions {
  readonly ami: Pick<Ami, 'action' | 'ownAddress'>;
  readonly etcDir: string;
  readonly clock: Clock;
  readonly onMessage: (message: CapturedMessage) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Copies of all SIP messages, as long as logins keep failing: the engine's reports of such requests contain text that a
 * stranger shapes, and some are missing. Copies cost the engine a quarter more per call, so they are not always on.
 */
export function createSipCapture({ ami, etcDir, clock, onMessage, onError }: CaptureOptions) {
  let socket: Socket | undefined;
  const secret = Buffer.from(randomBytes(32).toString('hex'));
  let onSince: number | undefined;
  let neededAt = 0;
  let isClosed = false;
  let last: Promise<void> = Promise.resolve();
  let isStarting = false;
  let failedAt: number | undefined;

  function inTurn(work: () => Promise<void>): Promise<void> {
    last = last.then(work).catch(onError);
    return last;
  }

  async function listen(host: string): Promise<Socket> {
    const made = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4', recvBufferSize: BUFFER_BYTES });
    made.on('message', (packet) => {
      const message = readHep(packet, secret);
      if (message) onMessage(message);
    });
    made.on('error', onError);
    made.bind(0, host);
    await once(made, 'listening');
    return made;
  }

  async function start(): Promise<void> {
    isStarting = false;
    const host = ami.ownAddress();
    if (isClosed || onSince !== undefined || host === undefined) return;
    socket ??= await listen(host);
    const { port } = socket.address();
    const to = isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
    await writeFile(join(etcDir, 'hep.conf'), hepConf(to, secret), { mode: 0o640 });
    for (const module of MODULES) await ami.action('ModuleLoad', { Module: module, LoadType: 'load' });
    onSince = clock.now();
    failedAt = undefined;
  }

  async function stop(): Promise<void> {
    onSince = undefined;
    for (const module of MODULES.toReversed()) {
      await ami.action('ModuleLoad', { Module: module, LoadType: 'unload' }).catch((error) => {
        // It was not loaded, so there is nothing to unload.
        if (!(error instanceof AmiRefused)) throw error;
      });
    }
  }

  const calm = setInterval(() => {
    if (onSince !== undefined && clock.now() - neededAt >= CALM_MS) void inTurn(stop);
  }, CHECK_MS);
  calm.unref();

  return {
    /** Starts copying, or keeps it going for a while. */
    need(): void {
      neededAt = clock.now();
      if (onSince !== undefined || isStarting || isClosed) return;
      if (failedAt !== undefined && clock.now() - failedAt < RETRY_MS) return;
      isStarting = true;
      failedAt = clock.now();
      void inTurn(start);
    },
    /** Since when every message is seen, in milliseconds; `undefined` = not now. */
    onSince: (): number | undefined => onSince,
    /** An engine that ran before may still send copies to a service that is gone. */
    reset: (): Promise<void> => inTurn(stop),
    engineLost(): void {
      onSince = undefined;
      failedAt = undefined;
    },
    async close(): Promise<void> {
      isClosed = true;
      clearInterval(calm);
      // Our own engine ends with us; a remote one is told to stop at the next start of a service.
      await last;
      socket?.close();
    },
  };
}

const hepConf = (to: string, secret: Buffer): string =>
  [
    '[general]',
    'enabled=yes',
    `capture_address=${to}`,
    `capture_password=${secret}`,
    'uuid_type=call-id',
    '',
  ].join('\n');
