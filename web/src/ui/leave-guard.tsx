import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askBeforeSignOut } from './leaving.ts';

const ABOVE_DIALOGS = 250;

interface LeaveGuardProps {
  /** Looked at in the moment of leaving. */
  readonly isNeeded: () => boolean;
  /** The same for signing out, where it differs. */
  readonly isNeededToSignOut?: () => boolean;
  readonly title: string;
  readonly text: string;
}

/**
 * Asks before what is on the screen is lost: by another screen or by signing out in words of its own, by a reload or a closed
 * window in those of the browser. Filters and tabs in the address are still the same screen.
 */
export function LeaveGuard({ isNeeded, isNeededToSignOut = isNeeded, title, text }: LeaveGuardProps) {
  const { t } = useTranslation();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isNeeded() && current.pathname !== next.pathname,
    enableBeforeUnload: isNeeded,
    withResolver: true,
  });
  const signingOut = useSigningOut(isNeededToSignOut);

  function stay() {
    reset?.();
    signingOut.answer(false);
  }

  function go() {
    proceed?.();
    signingOut.answer(true);
  }

  return (
    <Modal
      opened={status === 'blocked' || signingOut.isAsked}
      onClose={stay}
      // Above the dialog of an ended session, which offers to sign out too.
      zIndex={ABOVE_DIALOGS}
      title={title}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <Stack>
        <Text size="sm">{text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={stay} data-autofocus>
            {t('ui.leave.stay')}
          </Button>
          <Button color="red.9" onClick={go}>
            {t('ui.leave.go')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The same question for whoever signs out: that has no address to be held back from. */
function useSigningOut(isNeeded: () => boolean) {
  const [isAsked, setAsked] = useState(false);
  const answering = useRef<(isLeaving: boolean) => void>(undefined);

  useEffect(() =>
    askBeforeSignOut(async () => {
      if (!isNeeded()) return true;
      // Whoever asks twice is answered once.
      answering.current?.(false);
      setAsked(true);
      return new Promise<boolean>((resolve) => {
        answering.current = resolve;
      });
    }),
  );

  return {
    isAsked,
    answer(isLeaving: boolean) {
      answering.current?.(isLeaving);
      answering.current = undefined;
      setAsked(false);
    },
  };
}
