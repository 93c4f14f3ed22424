import { readFileSync } from 'node:fs';
import type { DesiredCallFlow, DesiredMenu } from '../../desired-call-flow.ts';
import type { DesiredExtension } from '../../desired-state.ts';
import { dialplanText } from '../config/encode.ts';
import { context, exten } from './contexts.ts';
import { shownName } from './names.ts';
import { targetExtension } from './targets.ts';

/** The logic of menus; this file renders its data. */
export const MENUS = readFileSync(new URL('./menus.conf', import.meta.url), 'utf8');

const NUMBER = /^\d{1,20}$/;

/** Data of menus: one line per menu that calls its routine, one per entry, one per beginning of an entry. */
export function renderMenus(
  { menus, sounds }: Pick<DesiredCallFlow, 'menus' | 'sounds'>,
  extensions: readonly DesiredExtension[],
): string {
  const files = new Map(sounds.map(({ id, file }) => [id, dialplanText(file)]));
  const known = menus.filter(({ number }) => NUMBER.test(number));
  const employees = known.some(({ isDirect }) => isDirect)
    ? extensions.flatMap(({ number }) => (NUMBER.test(number) ? [number] : []))
    : [];
  return [
    context('pbx-menus', ...known.map((menu) => exten(menu.number, menuStep(menu, files)))),
    ...known.map(entries),
    context('pbx-employees-more', ...beginnings(employees).map(noted)),
  ].join('');
}

function menuStep(menu: DesiredMenu, files: ReadonlyMap<string, string>): string {
  const sound = (id: string) => files.get(id) ?? '';
  const onTimeout = targetExtension(menu.onTimeout) || 'hangup';
  const fields = [
    sound(menu.soundId),
    menu.timeoutSeconds,
    menu.repeats,
    onTimeout,
    targetExtension(menu.onInvalid) || onTimeout,
    sound(menu.timeoutSoundId),
    sound(menu.invalidSoundId),
    menu.isDirect ? 1 : 0,
    ...shownName(menu.name),
  ];
  return `Gosub(pbx-menu,${menu.number},1(${fields.join(',')}))`;
}

function entries({ number, actions }: DesiredMenu): string {
  const usable = actions.filter(({ digits }) => /^[0-9*#]{1,10}$/.test(digits));
  return (
    context(
      `pbx-menu-${number}`,
      ...usable.map(({ digits, target }) => exten(digits, `Return(${targetExtension(target) || 'hangup'})`)),
    ) + context(`pbx-menu-${number}-more`, ...beginnings(usable.map(({ digits }) => digits)).map(noted))
  );
}

/** Every proper prefix of these texts. */
function beginnings(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts)
    for (let length = 1; length < text.length; length++) found.add(text.slice(0, length));
  return [...found].sort().reverse();
}

const noted = (beginning: string): string => exten(beginning, 'NoOp()');
