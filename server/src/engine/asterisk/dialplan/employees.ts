import { spellings } from '../../../lib/mobile-number.ts';
import { mobileDial } from '../../call-flow/mobile-dial.ts';
import { employeeRingSeconds } from '../../call-flow/ring-seconds.ts';
import type { DesiredExtension, DesiredProvider, DesiredState } from '../../desired-state.ts';
import { dialable } from '../config/encode.ts';
import { context, exten, providerKey } from './contexts.ts';
import { shownName } from './names.ts';
import { targetExtension } from './targets.ts';

const NO_ANSWER = 19;
const NUMBER = /^\d{1,20}$/;

/**
 * Dialplan data: one line per number, which calls the routine of `routes.conf` for its kind with its parameters.
 * Changing one employee changes one line.
 */
export function renderNumbers({
  extensions,
  providers,
}: Pick<DesiredState, 'extensions' | 'providers'>): string {
  const employees: string[] = [];
  const mobiles = new Map<string, string>();
  for (const extension of extensions) {
    if (!NUMBER.test(extension.number)) continue;
    employees.push(exten(extension.number, employeeStep(extension)));
    for (const mobile of mobileNumbers(extension))
      if (!mobiles.has(mobile)) mobiles.set(mobile, exten(mobile, mobileStep(extension, mobile, providers)));
  }
  // The engine sorts by walking its list from the front: the last number first is read in a tenth of the time.
  return (
    context('pbx-employees', ...employees.reverse()) +
    context('pbx-mobiles', ...[...mobiles.values()].reverse())
  );
}

function employeeStep(extension: DesiredExtension): string {
  const { onNoAnswer, onBusy, onUnavailable } = extension.forward;
  const [silent = '', busy = '', absent = ''] = [onNoAnswer, onBusy, onUnavailable].map(forward);
  const seconds = employeeRingSeconds(extension);
  if (seconds === 0) return sub('pbx-next', extension.number, [silent, NO_ANSWER]);
  const recorded = extension.isRecorded ? '1' : '0';
  return sub('pbx-ring', extension.number, [
    recorded,
    seconds,
    silent,
    busy,
    absent,
    ...shownName(extension.name),
  ]);
}

/** With and without plus it is the same mobile, and is dialled the way the caller wrote it. */
function mobileNumbers({ mobile }: DesiredExtension): string[] {
  const number = dialable(mobile.number);
  return /^\+?\d+$/.test(number) ? spellings(number) : number === '' ? [] : [number];
}

/** With our own spelling of the number: to the engine 2-0-1 is 201 as well. */
const sub = (routine: string, number: string, fields: readonly (string | number)[]): string =>
  `Gosub(${routine},${number},1(${fields.join(',')}))`;

/** There are no mailboxes yet: a forward to one counts as no forward (contract 3.2, 21). */
function forward(target: string): string {
  const extension = targetExtension(target);
  return extension === 'voicemail' ? 'hangup' : extension;
}

function mobileStep(
  { isRecorded, name: owner, mobile }: DesiredExtension,
  number: string,
  providers: readonly DesiredProvider[],
): string {
  const ids = providers.map(({ id }) => id);
  const { dials, providerId } = mobileDial({ number, dialString: mobile.dialString }, ids);
  const only = providerId === '' ? '' : providerKey(providerId);
  return sub('pbx-out', number, [isRecorded ? '1' : '0', dials, only, ...shownName(owner)]);
}
