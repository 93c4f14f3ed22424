import type { FlowRecord } from '../../../lib/flow-record.ts';
import { readRouteNumber } from '../../../lib/route-number.ts';
import { isTargetWord } from '../../../lib/target.ts';
import type { FlowView } from '../records/flow-view.ts';
import { DEFAULT_ROUTE, type IncomingRoute } from './incoming-route-fields.ts';

type RouteRecord = FlowRecord<IncomingRoute>;

const NAMED_CALLERS = 3;

export function toRecord({ id, values: { from_setting: _, ...values } }: RouteRecord, view: FlowView) {
  const { providerid, extension, audio_message_id, rulename, number, note } = values;
  const provider = view.provider(providerid);
  const providerName = providerid === 'none' ? 'Any provider' : view.representProvider(providerid);
  const target = view.representTarget(extension);
  return {
    id,
    ...values,
    providerid_represent: providerName,
    provider_type: providerid === 'none' ? '' : 'SIP',
    provider_disabled: provider?.disabled ?? false,
    extension_represent: target,
    audio_message_id_represent: view.representSound(audio_message_id),
    search_index: [rulename, number, target, providerName, note].join(' ').toLowerCase(),
  };
}

export const toListItem = (record: RouteRecord, view: FlowView) => ({
  ...toRecord(record, view),
  rule_represent: sentence(record, view),
});

/** What the route does, in plain words. */
function sentence({ id, values }: RouteRecord, view: FlowView): string {
  const { providerid, audio_message_id, disabled } = values;
  const sound = view.representSound(audio_message_id);
  const parts = [
    `Calls to ${numberWords(values)}`,
    id !== DEFAULT_ROUTE && providerid !== 'none' ? `over ${view.representProvider(providerid)}` : '',
    callerWords(values.callers),
    sound === '' ? '' : `hear "${sound}" and then`,
    targetWords(values, view),
  ];
  return `${parts.filter((part) => part !== '').join(' ')}${disabled ? ' (switched off)' : ''}`;
}

function numberWords({ number, match }: IncomingRoute): string {
  if (number === '') return 'any number';
  if (match === 'ends') return `numbers that end with ${number}`;
  return readRouteNumber(number)?.kind === 'pattern' ? `numbers like ${number}` : number;
}

function callerWords(callers: readonly string[]): string {
  if (callers.length === 0) return '';
  const more = callers.length - NAMED_CALLERS;
  const named = callers
    .slice(0, NAMED_CALLERS)
    .map((caller) => (caller === 'anonymous' ? 'callers without a number' : caller));
  return `from ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function targetWords({ extension, timeout }: IncomingRoute, view: FlowView): string {
  const within = timeout > 0 ? ` for at most ${timeout} s` : '';
  if (extension === '') return "are refused, unless the number is somebody's here";
  if (extension === 'did2user') return `ring whoever has the called number${within}`;
  if (!isTargetWord(extension)) return `go to ${view.representTarget(extension)}${within}`;
  return extension === 'busy' ? 'are told that the line is busy' : 'are refused';
}
