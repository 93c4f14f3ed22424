import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLoopbackNet, type LoopbackNet } from '../../server/test/real/loopback.ts';
import { startPlainAsterisk } from '../../server/test/real/plain-asterisk.ts';
import type { RunningProcess } from '../../server/test/real/running-process.ts';
import { registerMany, type SippAccount, startAnswering } from '../../server/test/real/sipp.ts';
import { type Exchange, openExchange, secretOf } from '../../server/test/telephony/exchange.ts';
import { type Core, pin } from '../service/processes.ts';

/** An exchange to measure: the product, or an Asterisk with the minimal configuration that does the same. */
export interface Target {
  readonly name: string;
  readonly address: string;
  readonly net: LoopbackNet;
  readonly enginePid: number;
  /** Only the product has one. */
  readonly servicePid?: number;
  readonly exchange?: Exchange;
  /** Moves the service to a core. By default the engine has its core to itself, like the floor. */
  placeService?(core: Core): void;
  stop(): Promise<void>;
}

/** Number of callers, and of callees whose calls are recorded and not recorded. */
export const PAIRS = 200;
const numbers = (from: number) => Array.from({ length: PAIRS }, (_, i) => String(from + i));
export const CALLERS = numbers(1000);
export const CALLEES = { plain: numbers(2000), recorded: numbers(3000) };
export type Kind = keyof typeof CALLEES;

const RTP = { from: 10_000, to: 20_000 };
const account = (number: string): SippAccount => ({ number, secret: secretOf(number) });

/** Caller and callee of each call of one kind. */
export const pairsOf = (kind: Kind) =>
  CALLERS.map((number, i) => ({ from: account(number), to: CALLEES[kind][i] as string }));

export async function openProduct(): Promise<Target> {
  const exchange = await openExchange({
    PBXCORE_EXTENSION_LENGTH: '4',
    PBXCORE_LOG_LEVEL: 'warn',
    PBXCORE_RTP_PORTS: `${RTP.from}-${RTP.to}`,
  });
  await exchange.hire(
    ...[...CALLERS, ...CALLEES.plain].map((number) => ({ number, sip_enableRecording: false })),
    ...CALLEES.recorded.map((number) => ({ number, sip_enableRecording: true })),
  );
  const enginePid = await exchange.enginePid();
  pin(enginePid, 'servers');
  return withPhones({
    name: 'pbxcore',
    address: exchange.address,
    net: exchange.net,
    enginePid,
    servicePid: exchange.service.pid,
    exchange,
    placeService: (core) => pin(exchange.service.pid, core),
    stop: () => exchange.close(),
  });
}

interface FloorOptions {
  readonly keepsRecords?: boolean;
  /** Messages about which phones are in use: not created, created, or created and used by hints and a queue. */
  readonly states?: 'unmade' | 'made' | 'hinted';
}

/**
 * The floor: accounts and two patterns, without reporting, counting or storing anything. With `keepsRecords`, Asterisk
 * itself writes a record of each call, the minimum for anybody who wants to know about calls.
 */
export async function openFloor({
  keepsRecords = false,
  states = 'made',
}: FloorOptions = {}): Promise<Target> {
  const net = createLoopbackNet();
  const address = net.next();
  const recordings = mkdtempSync(join(tmpdir(), 'bench-floor-'));
  mkdirSync(recordings, { recursive: true });
  const asterisk = await startPlainAsterisk({
    address,
    rtp: RTP,
    keepsRecords,
    modules: states === 'hinted' ? ['app_queue'] : [],
    files: filesFor(states),
    pjsip: [
      `[udp]\ntype=transport\nprotocol=udp\nbind=${address}:5060\n`,
      ...[...CALLERS, ...CALLEES.plain, ...CALLEES.recorded].map(plainAccount),
    ].join(''),
    extensions: `[internal]
exten => _2XXX,1,Dial(PJSIP/\${EXTEN})
exten => _3XXX,1,MixMonitor(${recordings}/\${UNIQUEID}.wav,b)
 same => n,Dial(PJSIP/\${EXTEN})
${states === 'hinted' ? HINTS : ''}`,
  });
  pin(asterisk.process.pid, 'servers');
  return withPhones({
    name: keepsRecords ? 'plain Asterisk with records' : 'plain Asterisk',
    address,
    net,
    enginePid: asterisk.process.pid,
    async stop() {
      await asterisk.stop();
      rmSync(recordings, { recursive: true, force: true });
    },
  });
}

const HINTS = `[hints]\n${CALLEES.plain.map((number) => `exten => ${number},hint,PJSIP/${number}\n`).join('')}`;

function filesFor(states: FloorOptions['states']): Record<string, string> {
  if (states === 'unmade')
    return { 'stasis.conf': '[declined_message_types]\ndecline=ast_device_state_message_type\n' };
  if (states !== 'hinted') return {};
  const members = CALLEES.plain.map(
    (number) => `member => Local/${number}@internal,0,${number},hint:${number}@hints\n`,
  );
  return { 'queues.conf': `[general]\n[everybody]\nringinuse=no\n${members.join('')}` };
}

export const plainAccount = (number: string) => `[${number}]
type=endpoint
context=internal
disallow=all
allow=ulaw
direct_media=no
rtp_symmetric=yes
auth=${number}
aors=${number}
[${number}]
type=auth
auth_type=userpass
username=${number}
password=${secretOf(number)}
[${number}]
type=aor
max_contacts=1
`;

/** Registers callees that answer; those that are recorded send a tone, the others nothing. */
async function withPhones(target: Target): Promise<Target> {
  const answering: RunningProcess[] = [];
  for (const [kind, hz] of [
    ['plain', undefined],
    ['recorded', 1000],
  ] as const) {
    const place = { address: target.net.next(), server: target.address };
    await registerMany(place, CALLEES[kind].map(account), { expires: 3600 });
    answering.push(await startAnswering(place, hz));
  }
  return {
    ...target,
    async stop() {
      for (const phones of answering) await phones.stop();
      await target.stop();
    },
  };
}
