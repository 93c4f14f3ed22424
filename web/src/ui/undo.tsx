import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import i18next from 'i18next';
import { messageOf } from '../api/errors.ts';

const UNDO_MS = 10_000;
/** Numbers, since browsers have random ids for https only. */
let offers = 0;

/** Says what was done, and offers for ten seconds to take it back. What it warns of is over when it is taken back. */
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

/** Heard, not only seen. */
const closeButton = () => ({ 'aria-label': i18next.t('ui.close') });

export const say = (message: string): void =>
  void notifications.show({ message, closeButtonProps: closeButton() });
/** What has to be known, and stays until somebody closes it, or it is hidden by its id. */
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
