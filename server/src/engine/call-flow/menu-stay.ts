import type { DesiredMenu } from '../desired-call-flow.ts';

const LONGEST_STAY_SECONDS = 600;
/** Played instead of a prompt. */
const SILENCE_SECONDS = 0.5;
const PAUSE_SECONDS = 2;
const WRONG_PAUSE_SECONDS = 1;
const MOST_KEYS = 40;

export interface MenuStay {
  readonly outcome: 'CONTINUE' | 'TIMEOUT' | 'INVALID';
  readonly target: string;
  /** The entries, as call records have them (contract 25.10). */
  readonly told: readonly string[];
  readonly seconds: number;
  /** Entries that the caller did not get to. */
  readonly rest: readonly string[];
  /** Keys pressed after a complete entry: the next application may take them. */
  readonly ahead: string;
}

interface Around {
  /** Numbers that may be dialled directly. */
  readonly isEmployee: (number: string) => boolean;
  readonly beginsEmployee: (digits: string) => boolean;
  readonly soundSeconds: (id: string) => number;
}

/**
 * Where a caller gets who makes these entries in a menu and is then silent (contract 25.3 to 25.10). Keys of one entry
 * follow each other at once and are pressed as soon as something is heard. The dialplan does the same (`menus.conf`).
 */
export function stayInMenu(menu: DesiredMenu, entries: readonly string[], around: Around): MenuStay {
  const told: string[] = [];
  let rest = [...entries];
  let seconds = 0;
  let [silent, wrong] = [0, 0];
  let sounds = [menu.soundId];

  for (;;) {
    const [entry = 't', ...later] = rest;
    rest = later;
    if (entry === 't') {
      const heard = sounds.reduce((sum, id) => sum + around.soundSeconds(id), 0);
      seconds += menu.timeoutSeconds + (heard === 0 ? SILENCE_SECONDS : heard);
      told.push('t');
      silent += 1;
      if (silent > menu.repeats || seconds >= LONGEST_STAY_SECONDS) return left('TIMEOUT', menu.onTimeout);
      sounds = [menu.timeoutSoundId, menu.soundId];
      continue;
    }
    const taken = takeKeys(menu, entry, around);
    seconds += taken.seconds;
    if (seconds >= LONGEST_STAY_SECONDS) {
      told.push('t');
      return left('TIMEOUT', menu.onTimeout);
    }
    if (taken.target !== undefined) {
      told.push(taken.entry);
      return left('CONTINUE', taken.target, taken.rest);
    }
    if (taken.rest !== '') rest = [taken.rest, ...rest];
    told.push(taken.entry, 'i');
    wrong += 1;
    if (wrong > menu.repeats) return left('INVALID', menu.onInvalid);
    sounds = [menu.invalidSoundId, menu.soundId];
  }

  function left(outcome: MenuStay['outcome'], target: string, ahead = ''): MenuStay {
    return { outcome, target, told, seconds: Math.min(seconds, LONGEST_STAY_SECONDS), rest, ahead };
  }
}

interface Taken {
  readonly entry: string;
  /** `undefined`: the entry is wrong. */
  readonly target?: string;
  readonly seconds: number;
  /** Keys after an entry that was already complete. */
  readonly rest: string;
}

function takeKeys(menu: DesiredMenu, keys: string, around: Around): Taken {
  const targetOf = (entry: string): string | undefined => {
    const action = menu.actions.find(({ digits }) => digits === entry);
    if (action) return action.target;
    return menu.isDirect && around.isEmployee(entry) ? entry : undefined;
  };
  const goesOn = (entry: string): boolean =>
    menu.actions.some(({ digits }) => digits.length > entry.length && digits.startsWith(entry)) ||
    (menu.isDirect && around.beginsEmployee(entry));
  const complete = (entry: string, seconds: number, rest: string): Taken => {
    const target = targetOf(entry);
    return { entry, seconds, rest, ...(target !== undefined && { target }) };
  };

  for (let length = 1; ; length++) {
    const entry = keys.slice(0, length);
    const rest = keys.slice(length);
    const isLast = rest === '';
    const canGoOn = goesOn(entry);
    if (targetOf(entry) !== undefined && !canGoOn) return complete(entry, 0, rest);
    // A hash completes the pending keys, unless an entry continues with it (contract 25.4).
    if (entry.endsWith('#') && length > 1 && targetOf(entry) === undefined && !canGoOn)
      return complete(entry.slice(0, -1), 0, rest);
    if (length > MOST_KEYS) return { entry, seconds: 0, rest };
    if (isLast) return complete(entry, canGoOn ? PAUSE_SECONDS : WRONG_PAUSE_SECONDS, '');
  }
}
