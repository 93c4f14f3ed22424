import { Kbd, Modal, Table } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { openPalette } from './palette.tsx';
import { ALL_SCREENS } from './screens.ts';

const JUMP_MS = 1500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** A dialog wants an answer first: nothing jumps away below it. */
const isAsked = (): boolean => document.querySelector('[role="dialog"][aria-modal="true"]') !== null;

const isSearch = ({ key, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey ? key.toLowerCase() === 'k' : key === '/';

/** `g e` and its like jump to a screen, `/` and Ctrl-K search, `?` lists them. Silent while somebody types or is asked. */
export function useShortcuts() {
  const navigate = useNavigate();
  const { t } = useTranslation();
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
    <Modal
      opened={opened}
      onClose={help.close}
      title={t('app.shortcuts')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <Table>
        <Table.Tbody>
          <Shortcut keys={['Ctrl', 'K']} text={t('app.search')} />
          <Shortcut keys={['/']} text={t('app.search')} />
          {ALL_SCREENS.map(({ id, jump }) => (
            <Shortcut key={id} keys={['g', jump]} text={t(`app.screen.${id}`)} />
          ))}
          <Shortcut keys={['?']} text={t('app.shortcuts')} />
        </Table.Tbody>
      </Table>
    </Modal>
  );
}

function Shortcut({ keys, text }: { readonly keys: readonly string[]; readonly text: string }) {
  return (
    <Table.Tr>
      <Table.Td>{text}</Table.Td>
      <Table.Td ta="right">
        {keys.map((key) => (
          <Kbd key={key} mx={2}>
            {key}
          </Kbd>
        ))}
      </Table.Td>
    </Table.Tr>
  );
}
