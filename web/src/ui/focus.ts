import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** For a dialog that exists only while it is open: whoever closes it goes on where it was opened. */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // What has taken the focus meanwhile keeps it.
      setTimeout(() => isLost() && before instanceof HTMLElement && before.focus({ preventScroll: true }));
    },
    [before],
  );
}

/** On the whole page, that is on nothing of it: the next press of Tab would begin at the top. */
export const isLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

const REMOVERS = '[data-remover]';
const ADDER = '[data-adder]';

/**
 * Takes out the row whose button was pressed, and goes on to the button of the next row, of the last one, or else to what adds
 * a row. Buttons are marked `data-remover`, `data-adder` is on the way to add; both are in one fieldset.
 */
export function removeRow(button: HTMLElement, remove: () => void): void {
  const area = button.closest('fieldset');
  const removers = () => [...(area?.querySelectorAll<HTMLElement>(REMOVERS) ?? [])];
  const at = removers().indexOf(button);
  flushSync(remove);
  const left = removers();
  const next = left[at] ?? left.at(-1) ?? area?.querySelector<HTMLElement>(ADDER);
  next?.focus();
}

/** Adds to a list by a field that is made anew for the next one, and goes on there. */
export function addHere(area: HTMLElement | null, add: () => void): void {
  flushSync(add);
  area?.querySelector<HTMLElement>(ADDER)?.focus();
}

/** Adds a row, and goes on to its first field. */
export function addRow(button: HTMLElement, add: () => void): void {
  const area = button.closest('fieldset');
  flushSync(add);
  area?.querySelector<HTMLElement>('tbody tr:last-child input')?.focus();
}
