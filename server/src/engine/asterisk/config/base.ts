import { createHash } from 'node:crypto';
import type { Site } from '../site.ts';
import { renderModules } from './modules.ts';

/** Where the engine tells of callers whom it refuses before there is a call; below its folder of logs. */
export const REFUSALS_LOG = 'refusals.log';

/** The files that say where Asterisk lives and how we reach it; they only change with the site. */
export function renderBase(site: Site): ReadonlyMap<string, string> {
  return new Map([
    ['asterisk.conf', renderAsterisk(site)],
    ['manager.conf', renderManager(site)],
    ['modules.conf', renderModules()],
    ['logger.conf', renderLogger()],
    ['stasis.conf', text(['[declined_message_types]', ...UNHEARD_MESSAGES.map((type) => `decline=${type}`)])],
    ['http.conf', text(['[general]', 'enabled=no'])],
    ['indications.conf', renderTones()],
    // Asterisk complains of each of these when it is missing.
    ...['ccss.conf', 'geolocation.conf', 'queuerules.conf', 'udptl.conf'].map(
      (file) => [file, text(['[general]'])] as const,
    ),
    ['pjproject.conf', renderPjproject()],
  ]);
}

function renderAsterisk(site: Site): string {
  const { etcDir, libDir, logDir, spoolDir, modulesDir, shareDir, systemName, ami } = site;
  const folders: [string, string | undefined][] = [
    ['astetcdir', etcDir],
    ['astmoddir', modulesDir],
    ['astvarlibdir', libDir],
    ['astdbdir', libDir],
    ['astkeydir', libDir],
    ['astdatadir', shareDir],
    ['astagidir', libDir],
    ['astspooldir', spoolDir],
    // Relative to the folder it works in: a socket's path may only be 107 bytes long.
    ['astrundir', 'run'],
    ['astlogdir', logDir],
  ];
  return text([
    '[directories]',
    ...folders.flatMap(([key, dir]) => (dir === undefined ? [] : `${key} => ${path(dir)}`)),
    '[options]',
    `systemname = ${systemName}`,
    // Neither a file nor a caller may start a program.
    'execincludes = no',
    'live_dangerously = no',
    'transmit_silence = no',
    'hideconnect = yes',
    '[files]',
    'astctlpermissions = 0600',
    `astctl = ${controlSocket(ami.secret)}`,
  ]);
}

/**
 * Whoever opens the engine's control socket commands it, programs of the machine included, and no password is asked: every
 * process of our user could. Its name is as hard to guess as the secret of the other way in.
 */
const controlSocket = (secret: string): string =>
  `${createHash('sha256').update(`control socket ${secret}`).digest('hex').slice(0, 32)}.ctl`;

/**
 * Events of calls that nobody reads. The engine writes them out and queues them for each connection, even for one that
 * may not read them: a hundred events, about a fifth of the cost of a call.
 */
const UNHEARD_EVENTS = [
  'Newchannel,Newstate,Newexten,NewCallerid,NewConnectedLine,NewAccountCode,Rename,VarSet',
  'DialBegin,DialState,DialEnd,HangupRequest,SoftHangupRequest,Hangup,DTMFBegin,DTMFEnd',
  'BridgeCreate,BridgeEnter,BridgeLeave,BridgeMerge,BridgeDestroy,BridgeInfoChannel,BridgeVideoSourceUpdate',
  'MusicOnHoldStart,MusicOnHoldStop,MixMonitorStart,MixMonitorStop,LocalBridge,DeviceStateChange,ExtensionStatus',
  'BlindTransfer,AttendedTransfer,RTCPSent,RTCPReceived,ChallengeSent,TestEvent',
  // Of queues; only what members do is heard.
  'QueueCallerJoin,QueueCallerLeave,QueueCallerAbandon,AgentCalled,AgentConnect,AgentComplete,AgentDump',
  'AgentRingNoAnswer,QueueMemberAdded,QueueMemberRemoved,QueueMemberPenalty,QueueMemberRinginuse',
];

/**
 * Messages inside of the engine that are not even made: variables of a dialplan (60 per call), reports on the quality of
 * voice, and what only its makers' tests want. Most others it needs: it would not start. States of devices are made, or no
 * queue would learn that a member is in a call.
 */
const UNHEARD_MESSAGES = [
  'ast_channel_varset_type',
  'ast_rtp_rtcp_sent_type',
  'ast_rtp_rtcp_received_type',
  'ast_test_suite_message_type',
  'stasis_test_message_type',
];

function renderManager({ ami }: Site): string {
  return text([
    '[general]',
    'enabled=yes',
    'webenabled=no',
    `bindaddr=${ami.host}`,
    `port=${ami.port}`,
    'timestampevents=yes',
    'displayconnects=no',
    'authtimeout=10',
    'authlimit=50',
    `disabledevents=${UNHEARD_EVENTS.join(',')}`,
    `[${ami.user}]`,
    `secret=${ami.secret}`,
    'deny=0.0.0.0/0.0.0.0',
    // Where our connections to any address of this machine come from.
    'permit=127.0.0.1/255.255.255.255',
    // Registrations and attacks; of calls only who holds, on the connection that asks for it. All else of calls is read
    // from the journal: per call, the other connection carries one login.
    'read=system,security,user,call,agent',
    'write=system,call,command,originate,reporting,agent',
    // The default gives up after 100 ms, which a busy moment of ours can take.
    'writetimeout=10000',
  ]);
}

const renderLogger = (): string =>
  text([
    '[general]',
    'dateformat=%F %T.%3q %z',
    'queue_log=no',
    'rotatestrategy=none',
    '[logfiles]',
    'messages.log => notice,warning,error',
    // As JSON: no text of a stranger can look like a line of the engine there.
    `${REFUSALS_LOG} => [json]error,debug`,
  ]);

/** Before 2.14 it wrote packets that it could not read, whole, at level 1: as an error, any stranger could fill the log of refusals. */
const renderPjproject = (): string =>
  text(['[log_mappings]', 'type=log_mappings', 'asterisk_error=0', 'asterisk_warning=1,2']);

/** What a caller hears of the engine itself once his line is answered: that it rings, is busy, or overloaded; as in most countries. */
const renderTones = (): string =>
  text([
    '[general]',
    'country=pbx',
    '[pbx]',
    'description=pbxcore',
    'ringcadence=1000,4000',
    'dial=425',
    'ring=425/1000,0/4000',
    'busy=425/480,0/480',
    'congestion=425/240,0/240',
    'callwaiting=425/200,0/600,425/200,0/4400',
    'dialrecall=425',
    'record=1400/500,0/15000',
    'info=950/330,1400/330,1800/330,0/1000',
  ]);

const text = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

/** `;` begins a comment, unless it is escaped. */
function path(dir: string): string {
  if (/[\r\n\0]/.test(dir)) throw new Error(`the folder ${JSON.stringify(dir)} cannot be used by the engine`);
  return dir.replaceAll(';', '\\;');
}
