import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import i18next from 'i18next';
import { messageOf } from '../api/errors.ts';

const UNDO_MS = 10_000;
/** Numbers, since browsers provide random ids only for https. */
let offers = 0;

/** Reports what was done, and offers an undo for ten seconds. Its warnings disappear with the undo. */
export function offerUndo(
  text: string,
  undo: () => Promise<unknown>,
  warnings: readonly string[] = [],
): void {
  const id = `undo-${++offers}`;
  async function takeBack() {
    notifications.hide(id);
    try {
      await undo();
      for (const one of warned) notifications.hide(one);
      say(i18next.t('ui.undone'));
    } catch (error) {
      sayFailed(error);
    }
  }
  notifications.show({
    id,
    autoClose: UNDO_MS,
    withCloseButton: true,
    closeButtonProps: closeButton(),
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{text}</Text>
        <Button size="compact-sm" variant="light" onClick={() => void takeBack()}>
          {i18next.t('ui.undo')}
        </Button>
      </Group>
    ),
  });
  const warned = warnings.map(warn);
}

/** For screen readers. */
const closeButton = () => ({ 'aria-label': i18next.t('ui.close') });

export const say = (message: string): void =>
  void notifications.show({ message, closeButtonProps: closeButton() });
/** An important message, which stays until it is closed, or hidden by its id. */
export const warn = (message: string): string =>
  notifications.show({
    color: 'orange',
    autoClose: false,
    message,
    closeButtonProps: closeButton(),
  });
export const sayFailed = (error: unknown): void =>
  void notifications.show({
    color: 'red',
    title: i18next.t('ui.failed'),
    message: messageOf(error),
    closeButtonProps: closeButton(),
  });
