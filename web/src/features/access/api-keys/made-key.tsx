import { Alert, Button, Group, Paper, Stack, Tabs, Text, Title } from '@mantine/core';
import type { CreatedApiKey, KeySnippet } from '@pbxcore/client';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useAddress } from '../../../ui/address.ts';
import { Copyable, CopyableBlock } from '../../../ui/copy.tsx';
import { download } from '../../../ui/download.ts';
import { LeaveGuard } from '../../../ui/leave-guard.tsx';
import { FirstRequest, useFirstRequest } from './first-request.tsx';
import { BOUNCER_PATH } from './key-values.ts';

/** The key and the texts created with it, shown only this once. */
export function MadeKey({ made }: { readonly made: CreatedApiKey }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const apiKey = useFirstRequest(made.id);
  return (
    <Stack maw={820}>
      <LeaveGuard
        // A program that has used the key has it.
        isNeeded={() => !apiKey?.last_used_at}
        title={t('api-keys.leaveTitle')}
        text={t('api-keys.leaveText')}
      />
      <Paper withBorder p="md" component="section" aria-label={t('api-keys.theKey')}>
        <Title order={2} size="h5" mb="xs">
          {made.description}
        </Title>
        {made.key && <Copyable value={made.key} label={t('api-keys.copyKey')} />}
        <Text size="sm" mt="xs">
          {t('api-keys.shownOnce')}
        </Text>
      </Paper>
      <FirstRequest apiKey={apiKey} />
      {made.allowed_paths?.[BOUNCER_PATH] && (
        <Alert variant="default">
          <Text size="sm">{t('api-keys.bouncerWarning')}</Text>
        </Alert>
      )}
      {made.snippets.length > 0 && <Snippets snippets={made.snippets} />}
      <Group>
        <Button onClick={() => void navigate({ to: '/api-keys', ignoreBlocker: true })}>
          {t('api-keys.savedIt')}
        </Button>
      </Group>
    </Stack>
  );
}

function Snippets({ snippets }: { readonly snippets: readonly KeySnippet[] }) {
  const { t } = useTranslation();
  const { get, set } = useAddress();
  const shown = snippets.find(({ id }) => id === get('snippet')) ?? snippets[0];
  if (!shown) return null;
  return (
    <Tabs value={shown.id} onChange={(id) => set({ snippet: id ?? '' }, { replace: true })}>
      <Tabs.List aria-label={t('api-keys.snippets')}>
        {snippets.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={shown.id} pt="md">
        <CopyableBlock value={shown.text} label={shown.filename} />
        <Group mt="xs">
          <Button variant="default" size="xs" onClick={() => save(shown)}>
            {t('api-keys.download', { filename: shown.filename })}
          </Button>
        </Group>
      </Tabs.Panel>
    </Tabs>
  );
}

/** Created in the browser: the text exists nowhere else. */
const save = ({ filename, text }: KeySnippet): void =>
  download(filename, new Blob([text], { type: 'text/plain' }));
