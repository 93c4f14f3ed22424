import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCrowdPhones } from '../../server/test/real/crowd-phones.ts';
import { createLoopbackNet, type LoopbackNet } from '../../server/test/real/loopback.ts';
import { startOutside } from '../../server/test/real/outside-caller.ts';
import { startPlainAsterisk } from '../../server/test/real/plain-asterisk.ts';
import { registerMany } from '../../server/test/real/sipp.ts';
import { toneUlaw } from '../../server/test/real/tone.ts';
import { type Exchange, openExchange, secretOf } from '../../server/test/telephony/exchange.ts';
import { plainAccount } from '../calls/target.ts';
import { pin } from '../service/processes.ts';
import { temporaryFolder } from '../service/service.ts';

type Outside = Awaited<ReturnType<typeof startOutside>>;

/** An open line, a menu, and a queue on its first key: the product, or the same configured by hand. */
export interface Office {
  readonly enginePid: number;
  readonly servicePid?: number;
  readonly exchange?: Exchange;
  readonly outside: Outside;
  stop(): Promise<void>;
}

export const LINE = '4930111';
const MENU = '700';
const QUEUE = '600';
/** More than simultaneous calls, so that nobody waits. */
const MEMBERS = Array.from({ length: 40 }, (_, i) => String(201 + i));
const [RING_MS, TALK_MS] = [20, 100];
/** A day other than today on which the line is closed; Monday is 1. */
const closedDay = () => ((new Date().getUTCDay() + 2) % 7) + 1;
const DAYS = ['', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

export async function openOurs(): Promise<Office> {
  const exchange = await openExchange({ PBXCORE_TIMEZONE: 'UTC', PBXCORE_LOG_LEVEL: 'warn' });
  const { net, address, admin } = exchange;
  const outside = await startOutside(net.next(), address);
  await exchange.hire(...MEMBERS.map((number) => ({ number, sip_enableRecording: false })));
  await admin('POST', '/sip-providers', { description: 'P', host: outside.address });
  await admin('POST', '/call-queues', {
    name: 'Support',
    extension: QUEUE,
    strategy: 'rrmemory',
    seconds_for_wrapup: 0,
    members: MEMBERS.map((extension) => ({ extension })),
  });
  await admin('POST', '/ivr-menu', {
    name: 'Main',
    extension: MENU,
    timeout: 5,
    // The tone that every installation includes.
    audio_message_id: '1',
    actions: [{ digits: '1', extension: QUEUE }],
  });
  const { id } = await admin('POST', '/incoming-routes', { number: LINE, extension: MENU });
  await admin('POST', '/off-work-times', {
    description: 'Closed',
    weekday_from: String(closedDay()),
    weekday_to: String(closedDay()),
    extension: 'hangup',
    allowRestriction: true,
    incomingRouteIds: [id],
  });
  await exchange.settled();
  const enginePid = await exchange.enginePid();
  pin(enginePid, 'servers');
  const phones = await answering(net, address);
  return {
    enginePid,
    servicePid: exchange.service.pid,
    exchange,
    outside,
    async stop() {
      await phones.stop();
      await outside.stop();
      await exchange.close();
    },
  };
}

/** `PJSIP/201` rings one device; a subroutine rings all devices of an employee, as the product does. */
export type Members = 'one device' | 'all devices';

/** A manual configuration with the same result for the caller, which reports, counts and stores nothing. */
export async function openByHand(members: Members, { keepsRecords = false } = {}): Promise<Office> {
  const net = createLoopbackNet();
  const address = net.next();
  const outside = await startOutside(net.next(), address);
  const sounds = temporaryFolder();
  writeFileSync(join(sounds, 'prompt.ulaw'), toneUlaw(440, 3));
  const member = (number: string) =>
    members === 'one device' ? `PJSIP/${number}` : `Local/${number}@member,0,${number},hint:${number}@hints`;
  const asterisk = await startPlainAsterisk({
    address,
    keepsRecords,
    modules: ['app_queue', 'app_read', 'app_playback', 'res_musiconhold'],
    pjsip: [
      `[udp]\ntype=transport\nprotocol=udp\nbind=${address}:5060\n`,
      '[trunk]\ntype=endpoint\ncontext=line\ndisallow=all\nallow=ulaw\ndirect_media=no\nrtp_symmetric=yes\n',
      `[trunk]\ntype=identify\nendpoint=trunk\nmatch=${outside.address}\n`,
      ...MEMBERS.map(plainAccount),
    ].join(''),
    extensions: `[line]
exten => ${LINE},1,GotoIfTime(*,${DAYS[closedDay()]},*,*?closed)
 same => n,Goto(menu,s,1)
 same => n(closed),Hangup(16)
[menu]
exten => s,1,Answer()
 same => n,Read(KEY,${sounds}/prompt,1,,1,5)
 same => n,Goto(menu,\${KEY},1)
exten => 1,1,Queue(support,r,,,7200)
[member]
exten => _X!,1,Dial(\${PJSIP_DIAL_CONTACTS(\${EXTEN})},3600)
[hints]
${MEMBERS.map((number) => `exten => ${number},hint,PJSIP/${number}\n`).join('')}`,
    files: {
      'queues.conf': `[general]\nautofill=yes\nshared_lastcall=yes\n[support]\nstrategy=rrmemory\ntimeout=15\nretry=1\nringinuse=no\n${MEMBERS.map((number) => `member => ${member(number)}\n`).join('')}`,
      'indications.conf':
        '[general]\ncountry=x\n[x]\ndescription=x\nringcadence=1000,4000\nring=425/1000,0/4000\n',
    },
  });
  pin(asterisk.process.pid, 'servers');
  const phones = await answering(net, address);
  return {
    enginePid: asterisk.process.pid,
    outside,
    async stop() {
      await phones.stop();
      await outside.stop();
      await asterisk.stop();
    },
  };
}

async function answering(net: LoopbackNet, server: string) {
  const place = { address: net.next(), server };
  const accounts = MEMBERS.map((number) => ({ number, secret: secretOf(number) }));
  await registerMany(place, accounts, { expires: 3600 });
  return startCrowdPhones({ ...place, ringMs: () => RING_MS, talkMs: () => TALK_MS });
}
