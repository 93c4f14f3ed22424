import { readFileSync } from 'node:fs';
import { type Clock, systemClock } from '../../../lib/clock.ts';
import { LONGEST_RING_SECONDS } from '../../call-flow/ring-seconds.ts';
import { type DesiredCallFlow, PLAIN_CALL_FLOW } from '../../desired-call-flow.ts';
import { dialplanText } from '../config/encode.ts';
import type { Site } from '../site.ts';
import { context } from './contexts.ts';
import { renderNumbers } from './employees.ts';
import { hoursLogic, renderHours } from './hours.ts';
import { INCOMING, linesOf, renderIncoming } from './incoming.ts';
import { ENGINE_EVENTS, encodedField, JOURNAL_COLUMNS, ROOM } from './journal-format.ts';
import { MENUS, renderMenus } from './menus.ts';
import { OUTBOUND, renderOutbound } from './outbound.ts';
import { renderProviders } from './providers.ts';
import {
  QUEUE_CALLS,
  QUEUE_END,
  QUEUE_PHRASES,
  type QueueCallsState,
  renderQueueCalls,
} from './queue-calls.ts';
import { asArgument } from './strangers-text.ts';

const ROUTES = readFileSync(new URL('./routes.conf', import.meta.url), 'utf8');
/** The logic of calls that are made by order, the same for every exchange. */
const ORIGINATE = readFileSync(new URL('./originate.conf', import.meta.url), 'utf8');
const LEG_ID = `\${UNIQUEID}-\${PBX_COUNT}`;

/** How calls run, and what the engine writes about them. */
export function renderDialplan(
  state: QueueCallsState,
  site: Site,
  clock: Clock = systemClock,
): ReadonlyMap<string, string> {
  return new Map([
    ['extensions.conf', renderExtensions(state, site, clock)],
    ['cel.conf', `[general]\nenable=yes\napps=\nevents=${ENGINE_EVENTS.join(',')}\n`],
    ['cel_custom.conf', `[mappings]\n${site.journalFile} => ${JOURNAL_COLUMNS.join(',')}\n`],
    // Legs are made from the journal above; the engine's own records hold less (no CHANUNAVAIL, no transfers).
    ['cdr.conf', '[general]\nenable=no\n'],
    // Phones transfer by themselves (REFER); no keys are listened to during a call.
    ['features.conf', '[general]\n[featuremap]\n'],
  ]);
}

function renderExtensions(state: QueueCallsState, site: Site, clock: Clock): string {
  const { providers, extensions, callFlow = PLAIN_CALL_FLOW } = state;
  return [
    '[general]\nstatic=yes\nwriteprotect=yes\nautofallthrough=yes\nclearglobalvars=yes\n\n',
    withPhrases(
      ROUTES + INCOMING + OUTBOUND + MENUS + QUEUE_CALLS + ORIGINATE + hoursLogic(callFlow),
      site,
      callFlow,
    ),
    renderProviders(providers, linesOf(callFlow)),
    renderNumbers({ extensions, providers }),
    context('pbx-features'),
    renderMenus(callFlow, extensions),
    renderIncoming(callFlow),
    renderHours(callFlow, clock),
    renderOutbound(state),
    renderQueueCalls(state),
  ].join('');
}

/** A number begins with a non-empty prefix and continues after it. */
const beginsWith = (prefix: string): string =>
  `\${LEN(\${${prefix}})} > 0 & \${LEN(\${ARG1})} > \${LEN(\${${prefix}})} & ` +
  `"\${ARG1:0:\${LEN(\${${prefix}})}}" = "\${${prefix}}"`;

/** The longest time to ring within what the deadline of a route leaves (contract 22.7). */
const within = (seconds: string): string =>
  `\${IF($[0\${PBX_DEADLINE} > 0]?\${MIN(${seconds},\${MAX(1,$[0\${PBX_DEADLINE} - \${EPOCH}])})}:${seconds})}`;

/** Fills in what several places of the logic have in common, and the values of the site. */
function withPhrases(logic: string, { recordingsDir }: Site, { numbering }: DesiredCallFlow): string {
  const phrases: Readonly<Record<string, string>> = {
    ...QUEUE_PHRASES,
    'extension-length': String(numbering.extensionLength),
    recordings: dialplanText(recordingsDir),
    // The id of the leg (counted up), and who calls: the first fields of the event that begins it.
    leg: [
      `\${UNIQUEID}-\${SET(PBX_COUNT=$[0\${PBX_COUNT} + 1])}`,
      encodedField('CALLERID(num)', ROOM.number),
      encodedField('CALLERID(name)', ROOM.name),
    ].join('|'),
    // Whoever took the caller's place in a queue or menu may have had legs with these numbers (contract 29.1.7).
    'count-after-stay': `$[0\${PBX_COUNT} + \${IF($["\${PBX_STAY}" = "${LEG_ID}"]?0:100)}]`,
    'ring-seconds': within(`\${ARG2}`),
    'queue-seconds': within(`\${ARG4}`),
    'out-seconds': within(String(LONGEST_RING_SECONDS)),
    late: `0\${PBX_DEADLINE} > 0 & \${EPOCH} >= 0\${PBX_DEADLINE}`,
    'begins-international': beginsWith('PBX_INTERNATIONAL'),
    'begins-national': beginsWith('PBX_NATIONAL'),
    // Without a national prefix: whatever does not begin with the country code.
    'is-national': `\${LEN(\${PBX_NATIONAL})} = 0 & "\${ARG1:0:\${LEN(\${PBX_COUNTRY})}}" != "\${PBX_COUNTRY}"`,
    'call-id': encodedField('CHANNEL(pjsip,call-id)', ROOM.callId),
    // Numbers as they came: from outside, and from a phone.
    'called-text': asArgument('CALLERID(dnid)'),
    'dialled-text': asArgument('EXTEN'),
    dialled: encodedField('EXTEN', ROOM.number),
    'number-text': asArgument('CALLERID(num)'),
    'name-text': asArgument('CALLERID(name)'),
    // The part of the caller's name that does not fit into the line that begins a leg.
    'rest-of-name': asArgument('CALLERID(name)', `:${ROOM.name}`),
    'long-name': encodedField('PBX_NAME', ROOM.longName),
    // i: a phone that redirects does not send callers past our forwards.
    options:
      `ib(pbx-leg-device^s^1(${LEG_ID}))` +
      `\${IF($[0\${ARG1}0\${PBX_RECORDED} > 0]?U(pbx-leg-record^${LEG_ID}))}`,
    'options-member':
      `ib(pbx-leg-device^s^1(${LEG_ID}))` +
      `U(pbx-talker^${LEG_ID}^\${IF($[0\${ARG1}0\${PBX_RECORDED} > 0]?1:0)}^\${PBX_SECTION}^\${EXTEN}^${QUEUE_END})`,
    'options-out':
      `ib(pbx-shown^s^1(${LEG_ID}^\${PBX_SHOWN}))` +
      `\${IF($[0\${PBX_RECORD}0\${PBX_RECORDED} > 0]?U(pbx-leg-record^${LEG_ID}))}`,
    caller: [encodedField('CALLERID(num)', ROOM.number), encodedField('CALLERID(name)', ROOM.name)].join('|'),
  };
  return logic.replace(/@([a-z-]+)@/g, (all, name: string) => phrases[name] ?? all);
}
