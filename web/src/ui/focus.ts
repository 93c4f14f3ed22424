import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** For a dialog that is only mounted while open: closing it returns the focus to where it was opened. */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // An element that has taken the focus meanwhile keeps it.
      setTimeout(() => isLost() && before instanceof HTMLElement && before.focus({ preventScroll: true }));
    },
    [before],
  );
}

/** Nothing has the focus: the next press of Tab would begin at the top of the page. */
export const isLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;

const REMOVERS = '[data-remover]';
const ADDER = '[data-adder]';

/**
 * Removes the row whose button was pressed, and moves the focus to the button of the next row, of the last one, or else
 * to what adds a row. Buttons are marked `data-remover`, what adds is marked `data-adder`; both are in one fieldset.
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

/** Adds to a list by a field that is remounted for the next entry, and focuses it. */
export function addHere(area: HTMLElement | null, add: () => void): void {
  flushSync(add);
  area?.querySelector<HTMLElement>(ADDER)?.focus();
}

/** Adds a row, and focuses its first field. */
export function addRow(button: HTMLElement, add: () => void): void {
  const area = button.closest('fieldset');
  flushSync(add);
  area?.querySelector<HTMLElement>('tbody tr:last-child input')?.focus();
}
