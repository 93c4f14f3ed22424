import { Button, Code, Group, List, Text } from '@mantine/core';
import type { Module } from '@pbxcore/client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { offerUndo, sayFailed } from '../../../ui/undo.tsx';

/** On or off, with a way back. Whoever enables a module accepts what it reads, and is told before. */
export function ModuleSwitch({ module }: { readonly module: Module }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const { id, name, disabled, reads } = module;

  async function turn(on: boolean): Promise<void> {
    try {
      await (on ? api.modules.enable(id) : api.modules.disable(id, {}));
    } finally {
      await cache.invalidateQueries({ queryKey: ['modules'] });
    }
  }

  async function turnAndOffer(on: boolean): Promise<void> {
    setBusy(true);
    try {
      await turn(on);
      offerUndo(t(on ? 'modules.enabled' : 'modules.disabled', { name }), () => turn(!on));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={busy}
        onClick={() =>
          disabled && reads.length > 0 ? setAsking(true) : void turnAndOffer(disabled).catch(sayFailed)
        }
      >
        {t(disabled ? 'modules.enable' : 'modules.disable')}
        <span className="unseen"> {name}</span>
      </Button>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('modules.mayRead', { name })}
        action={t('modules.enable')}
        onConfirm={() => turnAndOffer(true)}
        harmless
      >
        <Text mb="xs">{t('modules.mayReadHint')}</Text>
        <List>
          {reads.map((one) => (
            <List.Item key={one}>
              <Group gap={4}>
                <Code>{one}</Code>
              </Group>
            </List.Item>
          ))}
        </List>
      </Confirm>
    </>
  );
}
