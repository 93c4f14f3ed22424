import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askBeforeSignOut } from './leaving.ts';

const ABOVE_DIALOGS = 250;

interface LeaveGuardProps {
  /** Called at the moment of leaving. */
  readonly isNeeded: () => boolean;
  /** The same for signing out, if different. */
  readonly isNeededToSignOut?: () => boolean;
  readonly title: string;
  readonly text: string;
}

/**
 * Asks before unsaved values are lost: with its own dialog for another screen or signing out, with the browser's for a
 * reload or a closed window. Changing filters and tabs in the URL stays on the same screen.
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
      stackId={useId()}
      onClose={stay}
      // Above the dialog of an ended session, which also offers signing out.
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

/** The same question for signing out, which has no URL to block. */
function useSigningOut(isNeeded: () => boolean) {
  const [isAsked, setAsked] = useState(false);
  const answering = useRef<(isLeaving: boolean) => void>(undefined);

  useEffect(() =>
    askBeforeSignOut(async () => {
      if (!isNeeded()) return true;
      // A second question cancels the first.
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
