import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useRef } from 'react';
import { later } from './later.tsx';
import { ALL_SCREENS } from './screens.ts';

const JUMP_MS = 1500;

const ShortcutList = later(async () => (await import('./shortcut-list.tsx')).ShortcutList);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** A dialog must be answered first: nothing changes the screen below it. */
const isAsked = (): boolean => document.querySelector('[role="dialog"][aria-modal="true"]') !== null;

const isSearch = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey ? key.toLowerCase() === 'k' : key === '/';

/** `g e` and the like jump to a screen, `/` and Ctrl-K search, `?` lists them. Inactive while typing or in a dialog. */
export function useShortcuts(openPalette: () => void) {
  const navigate = useNavigate();
  const [opened, help] = useDisclosure(false);
  const jumpBegan = useRef(Number.NEGATIVE_INFINITY);

  useWindowEvent('keydown', (event) => {
    if (event.altKey || isTyping(event.target) || isAsked()) return;
    if (isSearch(event)) {
      event.preventDefault();
      return openPalette();
    }
    if (event.ctrlKey || event.metaKey) return;
    const jumping = event.timeStamp - jumpBegan.current < JUMP_MS;
    jumpBegan.current = Number.NEGATIVE_INFINITY;
    if (jumping) {
      const screen = ALL_SCREENS.find(({ jump }) => jump === event.key);
      if (screen) void navigate({ to: screen.to });
    } else if (event.key === 'g') jumpBegan.current = event.timeStamp;
    else if (event.key === '?') help.open();
  });

  return (
    opened && (
      <Suspense fallback={null}>
        <ShortcutList onClose={help.close} />
      </Suspense>
    )
  );
}
