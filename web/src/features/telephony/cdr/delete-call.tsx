import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Call } from '@pbxcore/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { say } from '../../../ui/undo.tsx';
import { useCallAddress } from './call-address.ts';
import { useForgetCalls } from './call-queries.ts';

/** A record cannot be restored, so it asks; deleting a recording with it requires typing a word. */
export function DeleteCall({ call }: { readonly call: Call }) {
  const { t } = useTranslation();
  const forget = useForgetCalls();
  const { set } = useCallAddress();
  const [opened, dialog] = useDisclosure(false);
  const recordings = call.records.filter((leg) => leg.recordingfile !== '').length;
  const [withRecordings, setWithRecordings] = useState(true);
  const deleteRecording = recordings > 0 && withRecordings;

  async function remove() {
    await api.cdr.delete(call.linkedid, { deleteRecording });
    say(t('cdr.delete.done'));
    set({ open: '' });
    await forget();
  }

  return (
    <>
      <Button variant="subtle" color="red" size="compact-sm" onClick={dialog.open}>
        {t('cdr.delete.button')}
      </Button>
      <Confirm
        opened={opened}
        onClose={dialog.close}
        title={t('cdr.delete.title')}
        action={t('cdr.delete.button')}
        {...(deleteRecording && { word: t('cdr.delete.word') })}
        onConfirm={remove}
      >
        <Stack gap="sm">
          <Text size="sm">{t('cdr.delete.text', { count: call.records.length })}</Text>
          {recordings > 0 && (
            <Checkbox
              checked={withRecordings}
              onChange={({ currentTarget }) => setWithRecordings(currentTarget.checked)}
              label={t('cdr.delete.recordings', { count: recordings })}
            />
          )}
        </Stack>
      </Confirm>
    </>
  );
}
