import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { download } from '../../../ui/download.ts';
import { say } from '../../../ui/undo.tsx';

/** One archive of the database and its files. It contains every secret, so a warning comes first. */
export function BackupButton() {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);

  async function backUp(): Promise<void> {
    const response = await api.system.backup();
    const name = /filename="?([\w.-]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1];
    download(name ?? 'pbxcore-backup.tar.gz', await response.blob());
    say(t('system.backupDone'));
  }

  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('system.backup')}
      </Button>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('system.backup')}
        action={t('system.backupAction')}
        onConfirm={backUp}
        harmless
      >
        <Text size="sm">{t('system.backupHint')}</Text>
      </Confirm>
    </>
  );
}
