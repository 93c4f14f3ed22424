import { Button, List, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ApiKeyListItem } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { say } from '../../../ui/undo.tsx';
import { wallTime } from '../../../ui/wall-time.tsx';

interface RevokeKeyProps {
  readonly apiKey: ApiKeyListItem;
  readonly onRevoked?: () => void;
  /** Called before and, if it is refused, after: a screen of this key need not refetch it. */
  readonly onRevoking?: (isRevoking: boolean) => void;
}

/** A revoked key cannot be restored, so its name must be typed; above that is what stops working. */
export function RevokeKey({ apiKey, onRevoked, onRevoking }: RevokeKeyProps) {
  const { t, i18n } = useTranslation();
  const [asking, ask] = useDisclosure(false);
  const { description, last_used_at: lastUsed, bouncer } = apiKey;
  // The word must be possible to type.
  const word = /^[\x20-\x7e\u00a1-\u024f\u0400-\u04ff]{1,40}$/u.test(description)
    ? description
    : apiKey.key_display;

  async function revoke() {
    onRevoking?.(true);
    try {
      await api.apiKeys.delete(apiKey.id);
    } catch (error) {
      onRevoking?.(false);
      throw error;
    }
    await queryClient.invalidateQueries({ queryKey: ['api-keys'] });
    say(t('api-keys.revoked', { name: description }));
    onRevoked?.();
  }

  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={t('api-keys.revokeOf', { name: description })}
        onClick={ask.open}
      >
        {t('api-keys.revoke')}
      </Button>
      <Confirm
        opened={asking}
        onClose={ask.close}
        title={t('api-keys.revokeTitle')}
        word={word}
        action={t('api-keys.revoke')}
        onConfirm={revoke}
      >
        <Text size="sm">{t('api-keys.stops', { name: description })}</Text>
        <List size="sm" mt="xs">
          <List.Item>
            {lastUsed
              ? t('api-keys.stopsUsed', { time: wallTime(lastUsed, i18n.language) })
              : t('api-keys.stopsUnused')}
          </List.Item>
          {bouncer?.last_poll_ip && (
            <List.Item>{t('api-keys.stopsBouncer', { address: bouncer.last_poll_ip })}</List.Item>
          )}
        </List>
      </Confirm>
    </>
  );
}
