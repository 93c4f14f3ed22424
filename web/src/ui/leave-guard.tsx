import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

interface LeaveGuardProps {
  /** Looked at in the moment of leaving. */
  readonly isNeeded: () => boolean;
  readonly title: string;
  readonly text: string;
}

/**
 * Asks before what is on the screen is lost: by another screen in words of its own, by a reload or a closed window in those
 * of the browser. Filters and tabs in the address are still the same screen.
 */
export function LeaveGuard({ isNeeded, title, text }: LeaveGuardProps) {
  const { t } = useTranslation();
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isNeeded() && current.pathname !== next.pathname,
    enableBeforeUnload: isNeeded,
    withResolver: true,
  });
  return (
    <Modal
      opened={status === 'blocked'}
      onClose={() => reset?.()}
      title={title}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <Stack>
        <Text size="sm">{text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => reset?.()} data-autofocus>
            {t('ui.leave.stay')}
          </Button>
          <Button color="red.9" onClick={() => proceed?.()}>
            {t('ui.leave.go')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
