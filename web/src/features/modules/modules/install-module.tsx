import { Button, FileButton, Text } from '@mantine/core';
import { ApiError, type Envelope, type Module } from '@pbxcore/client';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { session } from '../../../api/api.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { PlusIcon } from '../../../ui/icons.tsx';
import { say, sayFailed } from '../../../ui/undo.tsx';

/** Sends the raw ZIP file: the generated client sends JSON only. */
async function install(file: File, replace: boolean): Promise<Module> {
  const response = await session.fetch(`/pbxcore/api/v3/modules:install${replace ? '?replace=true' : ''}`, {
    method: 'POST',
    headers: { 'content-type': 'application/zip' },
    body: file,
  });
  const answer = (await response.json()) as Envelope<Module>;
  if (!response.ok) throw new ApiError(response.status, answer.messages);
  return answer.data;
}

/** Installs an upload, with the checks of the command line. Nothing of the module runs until somebody enables it. */
export function InstallModule() {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const reset = useRef<() => void>(null);
  const [busy, setBusy] = useState(false);
  const [there, setThere] = useState<{ file: File; problem: string }>();

  async function send(file: File, replace: boolean): Promise<void> {
    setBusy(true);
    try {
      const { id, name, version } = await install(file, replace);
      await cache.invalidateQueries({ queryKey: ['modules'] });
      say(t('modules.installed', { name, version }));
      await navigate({ to: `/modules/${id}` });
    } finally {
      setBusy(false);
      reset.current?.();
    }
  }

  function choose(file: File | null): void {
    if (!file) return;
    send(file, false).catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 409) setThere({ file, problem: error.message });
      else sayFailed(error);
    });
  }

  return (
    <>
      <FileButton onChange={choose} accept=".zip,application/zip" resetRef={reset}>
        {(props) => (
          <Button {...props} loading={busy} leftSection={<PlusIcon size={16} />}>
            {t('modules.install')}
          </Button>
        )}
      </FileButton>
      <Confirm
        opened={there !== undefined}
        onClose={() => setThere(undefined)}
        title={t('modules.replace')}
        action={t('modules.replaceAction')}
        onConfirm={async () => {
          if (there) await send(there.file, true);
        }}
      >
        <Text mb="xs">{there?.problem}</Text>
        <Text>{t('modules.replaceHint')}</Text>
      </Confirm>
    </>
  );
}
