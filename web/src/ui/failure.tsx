import { Alert, Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isOffline, messageOf } from '../api/errors.ts';

/** The error in the service's words, with a button to retry if `retry` is given. */
export function Failure({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const { t } = useTranslation();
  return (
    <Alert color="red" role="alert" title={t(isOffline(error) ? 'ui.offline' : 'ui.failed')}>
      <Group justify="space-between">
        {!isOffline(error) && <Text size="sm">{messageOf(error)}</Text>}
        {isOffline(error) && retry && <Text size="sm">{t('ui.offlineHint')}</Text>}
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            {t('ui.retry')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
