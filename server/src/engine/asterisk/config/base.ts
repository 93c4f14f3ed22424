import { createHash } from 'node:crypto';
import type { Site } from '../site.ts';
import { renderModules } from './modules.ts';

/** Log of callers that the engine refuses before there is a call; relative to its log folder. */
export const REFUSALS_LOG = 'refusals.log';

/** The files with Asterisk's folders and the way we reach it; they only change with the site. */
export function renderBase(site: Site): ReadonlyMap<string, string> {
  return new Map([
    ['asterisk.conf', renderAsterisk(site)],
    ['manager.conf', renderManager(site)],
    ['modules.conf', renderModules()],
    ['logger.conf', renderLogger()],
    ['stasis.conf', text(['[declined_message_types]', ...UNHEARD_MESSAGES.map((type) => `decline=${type}`)])],
    ['http.conf', text(['[general]', 'enabled=no'])],
    ['indications.conf', renderTones()],
    // Asterisk logs a complaint for each of these that is missing.
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
    // Relative to the working directory: the path of a socket may only be 107 bytes long.
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
 * Whoever opens the engine's control socket commands it without a password, programs of the machine included, and every
 * process of our user could. So its name is as hard to guess as the secret of the manager port.
 */
const controlSocket = (secret: string): string =>
  `${createHash('sha256').update(`control socket ${secret}`).digest('hex').slice(0, 32)}.ctl`;

/**
 * Call events that we do not use. The engine formats and queues them for each connection, even for one that may not
 * read them: a hundred events, about a fifth of the cost of a call.
 */
const UNHEARD_EVENTS = [
  'Newchannel,Newstate,Newexten,NewCallerid,NewConnectedLine,NewAccountCode,Rename,VarSet',
  'DialBegin,DialState,DialEnd,HangupRequest,SoftHangupRequest,Hangup,DTMFBegin,DTMFEnd',
  'BridgeCreate,BridgeEnter,BridgeLeave,BridgeMerge,BridgeDestroy,BridgeInfoChannel,BridgeVideoSourceUpdate',
  'MusicOnHoldStart,MusicOnHoldStop,MixMonitorStart,MixMonitorStop,LocalBridge,DeviceStateChange,ExtensionStatus',
  'BlindTransfer,AttendedTransfer,RTCPSent,RTCPReceived,ChallengeSent,TestEvent',
  // Of queues; we only use the events of members.
  'QueueCallerJoin,QueueCallerLeave,QueueCallerAbandon,AgentCalled,AgentConnect,AgentComplete,AgentDump',
  'AgentRingNoAnswer,QueueMemberAdded,QueueMemberRemoved,QueueMemberPenalty,QueueMemberRinginuse',
];

/**
 * Internal messages that the engine does not even create: dialplan variables (60 per call), reports on voice quality,
 * and those for its own tests. It needs most others to start. Device states are created, because without them no queue
 * would notice that a member is in a call.
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
    // The source of our connections to any address of this machine.
    'permit=127.0.0.1/255.255.255.255',
    // Registrations and attacks; of calls only holds, on the connection that asks for them. Everything else about calls
    // is read from the journal: per call, the other connection carries one login.
    'read=system,security,user,call,agent',
    'write=system,call,command,originate,reporting,agent',
    // By default it gives up after 100 ms, which a busy moment of ours can take.
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
    // As JSON, so that no text of a stranger can pass for a line of the engine.
    `${REFUSALS_LOG} => [json]error,debug`,
  ]);

/**
 * pjproject before 2.14 wrote unreadable packets at level 1: as errors, any stranger could fill the log of refusals.
 */
const renderPjproject = (): string =>
  text(['[log_mappings]', 'type=log_mappings', 'asterisk_error=0', 'asterisk_warning=1,2']);

/** Tones that the engine itself plays once the line is answered: ringing, busy, overloaded; as in most countries. */
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
