import { Button, Code, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { CopyIconButton } from '../../../ui/copy.tsx';
import { QrCode } from '../../../ui/qr.tsx';
import { newSecret } from './employee-fields.ts';
import type { PartProps } from './employee-form.tsx';

/** Shown on demand, made anew, copied, or read by the camera of a phone. */
export function SecretField({ values, set, problems }: PartProps) {
  const { t } = useTranslation();
  const [opened, qr] = useDisclosure(false);
  const { sip_secret: secret, number } = values;
  return (
    <Group align="start" gap="xs">
      <PasswordInput
        flex="1 1 260px"
        label={t('employees.field.sip_secret')}
        required
        autoComplete="new-password"
        value={secret}
        onChange={({ currentTarget }) => set('sip_secret', currentTarget.value)}
        error={problems.sip_secret}
        visibilityToggleButtonProps={{ 'aria-label': t('employees.showSecret') }}
      />
      <Group gap="xs" pt={{ base: 0, sm: 26 }} wrap="nowrap">
        <CopyIconButton value={secret} label={t('employees.copySecret')} />
        <Button variant="default" onClick={() => set('sip_secret', newSecret())}>
          {t('employees.generate')}
        </Button>
        <Button variant="default" disabled={secret === ''} onClick={qr.open}>
          {t('employees.qr')}
        </Button>
      </Group>
      <Modal
        opened={opened}
        onClose={qr.close}
        title={t('employees.qrTitle', { number })}
        closeButtonProps={{ 'aria-label': t('employees.close') }}
      >
        <Stack align="center">
          <QrCode text={accountAddress(values)} label={t('employees.qrTitle', { number })} />
          <Text size="sm">{t('employees.qrHint')}</Text>
          <Code>{`${number}@${location.hostname}`}</Code>
        </Stack>
      </Modal>
    </Group>
  );
}

/** A SIP address with user and password (RFC 3261, 19.1.1), for phones that read one. The usual ports go without saying. */
function accountAddress({
  number,
  sip_secret,
  sip_transport,
}: Pick<PartProps['values'], 'number' | 'sip_secret' | 'sip_transport'>): string {
  const transport = sip_transport.split(',')[0];
  const [user, password] = [number, sip_secret].map(encodeURIComponent);
  return `sip:${user}:${password}@${location.hostname};transport=${transport}`;
}
