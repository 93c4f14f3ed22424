import { Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';
import { PasswordForm } from './password-form.tsx';

export function ChangePassword() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <Page title={t('app.password')}>
      <Stack maw={480}>
        <PasswordForm onDone={() => void navigate({ to: '/' })} />
      </Stack>
    </Page>
  );
}
