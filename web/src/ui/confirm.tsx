import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from './failure.tsx';

interface ConfirmProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What stops working or is lost. */
  readonly children: ReactNode;
  /** Must be typed, for actions that cannot be undone. */
  readonly word?: string;
  readonly action: string;
  /** Nothing is lost; it only needs to be known first. */
  readonly harmless?: boolean;
  readonly onConfirm: () => Promise<unknown>;
}

/** For actions that cannot be undone. Others are done at once and offer an undo. */
export function Confirm(props: ConfirmProps) {
  const { opened, onClose, title, children, word, action, harmless, onConfirm } = props;
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();

  function close() {
    setTyped('');
    setFailure(undefined);
    onClose();
  }

  async function confirm() {
    setBusy(true);
    setFailure(undefined);
    try {
      await onConfirm();
      close();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal
      opened={opened}
      // Only has an effect in a `Modal.Stack`: one Escape then closes one dialog.
      stackId={useId()}
      onClose={close}
      title={title}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <Stack>
        <div>{children}</div>
        {word !== undefined && (
          <TextInput
            label={<Text size="sm">{t('ui.typeToConfirm', { word })}</Text>}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            data-autofocus
          />
        )}
        {failure !== undefined && <Failure error={failure} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('ui.cancel')}
          </Button>
          <Button
            color="red.9"
            loading={busy}
            disabled={word !== undefined && typed !== word}
            onClick={() => void confirm()}
            {...(harmless && { color: 'green' })}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
