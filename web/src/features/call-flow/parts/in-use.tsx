import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { fieldErrors } from '../../../api/errors.ts';
import { useFocusBack } from '../../../ui/focus.ts';
import { TargetPicker } from './target-picker.tsx';
import { type User, Users } from './users.tsx';

interface InUseProps {
  readonly name: string;
  readonly users: readonly User[];
  readonly onClose: () => void;
  /** Sets another target in them and deletes, in one request. */
  readonly onReplace?: (target: string) => Promise<void>;
}

/** Why something cannot be deleted: who uses it, and what can be done about that. */
export function InUse({ name, users, onClose, onReplace }: InUseProps) {
  const { t } = useTranslation();
  const [target, setTarget] = useState({ value: '', label: '' });
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  useFocusBack();

  async function replace() {
    setBusy(true);
    try {
      await onReplace?.(target.value);
      onClose();
    } catch (error) {
      const { fields, rest } = fieldErrors(error, ['replaceWith']);
      setProblem(fields.replaceWith ?? rest.join(' '));
      setBusy(false);
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('call-flow.inUse', { name })}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <Stack>
        <Text size="sm">{t('call-flow.inUseHint')}</Text>
        <Users users={users} />
        {onReplace && (
          <TargetPicker
            label={t('call-flow.replaceWith')}
            withLabel
            value={target.value}
            represent={target.label}
            onChange={(value, label) => {
              setTarget({ value, label });
              setProblem(undefined);
            }}
            error={problem}
          />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          {onReplace && (
            <Button
              color="red.9"
              loading={busy}
              disabled={target.value === ''}
              onClick={() => void replace()}
            >
              {t('call-flow.replaceAndDelete')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
