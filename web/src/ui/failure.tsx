import { Alert, Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isOffline, messageOf } from '../api/errors.ts';

/** What went wrong, in the service's words, and the way to try again. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const { t } = useTranslation();
  return (
    <Alert color="red" role="alert" title={t(isOffline(error) ? 'ui.offline' : 'ui.failed')}>
      <Group justify="space-between">
        <Text size="sm">{isOffline(error) ? t('ui.offlineHint') : messageOf(error)}</Text>
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {t('ui.retry')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
