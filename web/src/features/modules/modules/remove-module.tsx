import { Button, Checkbox, Text } from '@mantine/core';
import type { Module } from '@pbxcore/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { say } from '../../../ui/undo.tsx';

interface RemoveModuleProps {
  readonly module: Module;
  /** Called before removal, and again if that failed. */
  readonly onRemoving: (isLeaving: boolean) => void;
}

/** Removes the folder; the module's data only if selected. */
export function RemoveModule({ module: { id, name }, onRemoving }: RemoveModuleProps) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const [purge, setPurge] = useState(false);

  async function remove(): Promise<void> {
    onRemoving(true);
    try {
      await api.modules.delete(id, { purge });
    } catch (error) {
      onRemoving(false);
      throw error;
    }
    say(t('modules.removed', { name }));
    await navigate({ to: '/modules' });
    cache.removeQueries({ queryKey: ['modules', 'getRecord', id] });
    await cache.invalidateQueries({ queryKey: ['modules'] });
  }

  return (
    <>
      <Button size="xs" variant="default" onClick={() => setAsking(true)}>
        {t('modules.remove')}
      </Button>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('modules.removeTitle', { name })}
        action={t('modules.remove')}
        onConfirm={remove}
      >
        <Text mb="sm">{t(purge ? 'modules.purgeHint' : 'modules.removeHint')}</Text>
        <Checkbox
          label={t('modules.purge')}
          checked={purge}
          onChange={({ currentTarget }) => setPurge(currentTarget.checked)}
        />
      </Confirm>
    </>
  );
}
