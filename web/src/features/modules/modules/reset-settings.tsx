import { Button, Text } from '@mantine/core';
import type { Module } from '@pbxcore/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { say } from '../../../ui/undo.tsx';

interface ResetSettingsProps {
  readonly id: string;
  readonly names: readonly string[];
  readonly onReset: (module: Module) => void;
}

/** Resets every setting to its default; that deletes secrets, so it asks. */
export function ResetSettings({ id, names, onReset }: ResetSettingsProps) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button variant="subtle" size="xs" w="fit-content" onClick={() => setAsking(true)}>
        {t('modules.reset')}
      </Button>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('modules.resetTitle')}
        action={t('modules.reset')}
        onConfirm={async () => {
          const { data } = await api.modules.patch(id, { reset: [...names] });
          onReset(data);
          say(t('modules.saved'));
        }}
      >
        <Text>{t('modules.resetHint')}</Text>
      </Confirm>
    </>
  );
}
