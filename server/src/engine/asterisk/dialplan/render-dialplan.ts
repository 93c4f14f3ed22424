import { readFileSync } from 'node:fs';
import type { DesiredState } from '../../desired-state.ts';
import { dialable, dialplanText } from '../config/encode.ts';
import type { Site } from '../site.ts';
import { renderNumbers } from './employees.ts';
import { ENGINE_EVENTS, encodedField, JOURNAL_COLUMNS, ROOM } from './journal-format.ts';
import { renderProviders } from './providers.ts';

const ROUTES = readFileSync(new URL('./routes.conf', import.meta.url), 'utf8');
const LEG_ID = `\${UNIQUEID}-\${PBX_COUNT}`;

/** How calls run, and what the engine writes down of them. */
export function renderDialplan(state: DesiredState, site: Site): ReadonlyMap<string, string> {
  return new Map([
    ['extensions.conf', renderExtensions(state, site)],
    ['cel.conf', `[general]\nenable=yes\napps=\nevents=${ENGINE_EVENTS.join(',')}\n`],
    ['cel_custom.conf', `[mappings]\n${site.journalFile} => ${JOURNAL_COLUMNS.join(',')}\n`],
    // Legs are made from the journal above; the engine's own records know less (no CHANUNAVAIL, no transfers).
    ['cdr.conf', '[general]\nenable=no\n'],
    // Phones transfer by themselves (REFER); no keys are listened to during a call.
    ['features.conf', '[general]\n[featuremap]\n'],
  ]);
}

const renderExtensions = ({ providers, extensions }: DesiredState, site: Site): string =>
  [
    '[general]\nstatic=yes\nwriteprotect=yes\nautofallthrough=yes\nclearglobalvars=yes\n\n',
    renderRoutes(site),
    renderProviders(providers),
    renderNumbers({ extensions, providers }),
  ].join('');

/** What several places of `routes.conf` say alike, and what only the site knows. */
function renderRoutes({ inboundExtension = '', recordingsDir }: Site): string {
  const phrases: Readonly<Record<string, string>> = {
    inbound: dialable(inboundExtension) || 'none',
    recordings: dialplanText(recordingsDir),
    // Which leg it is (one more than before), and who calls: the first fields of the event that begins it.
    leg: [
      `\${UNIQUEID}-\${SET(PBX_COUNT=$[0\${PBX_COUNT} + 1])}`,
      encodedField('CALLERID(num)', ROOM.number),
      encodedField('CALLERID(name)', ROOM.name),
    ].join('|'),
    'call-id': encodedField('CHANNEL(pjsip,call-id)', ROOM.callId),
    // What of the caller's name has no room in the line that begins a leg.
    'rest-of-name': `\${CALLERID(name):${ROOM.name}}`,
    'long-name': encodedField('CALLERID(name)', ROOM.longName),
    // i: a phone that wants to redirect does not send others elsewhere past our forwards.
    options:
      `ib(pbx-leg-device^s^1(${LEG_ID}))` +
      `\${IF($[0\${ARG1}0\${PBX_RECORDED} > 0]?U(pbx-leg-record^${LEG_ID}))}`,
  };
  return ROUTES.replace(/@([a-z-]+)@/g, (all, name: string) => phrases[name] ?? all);
}
