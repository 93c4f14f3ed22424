import { Button, Group, Modal, PasswordInput, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { CopyIconButton } from '../../../ui/copy.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { PhoneValues } from '../../system/welcome/phone-values.tsx';
import { newSecret } from './employee-fields.ts';
import type { PartProps } from './employee-form.tsx';

/** Shown on demand, generated, copied, or scanned by the camera of a phone. */
export function SecretField(part: PartProps) {
  const { t } = useTranslation();
  const [opened, qr] = useDisclosure(false);
  const { values, set, problems } = part;
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
        size="lg"
        title={t('employees.qrTitle', { number })}
        closeButtonProps={{ 'aria-label': t('employees.close') }}
      >
        <Account {...part} />
      </Modal>
    </Group>
  );
}

/** With the values in the form, saved or not. */
function Account({ employee, values }: PartProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['sip', 'getConnection'],
    queryFn: async () => (await api.sip.getConnection()).data,
  });
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton height={240} />;
  return <PhoneValues employee={{ ...employee, ...values }} connection={data} />;
}
