import { Modal, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../api/api.ts';
import { useFocusBack } from '../../../ui/focus.ts';
import { signOut } from '../../../ui/leaving.ts';
import { SignInForm } from './sign-in.tsx';

/** Shown over the current screen: entered text stays, and requests continue once the password is given. */
export function SignInAgain() {
  const { t } = useTranslation();
  const { login } = useSession();
  useFocusBack();
  return (
    <Modal
      opened
      onClose={() => void signOut()}
      title={t('auth.expired')}
      closeOnClickOutside={false}
      closeOnEscape={false}
      closeButtonProps={{ 'aria-label': t('app.signOut') }}
    >
      <Text size="sm" mb="md">
        {t('auth.expiredHint', { login })}
      </Text>
      <SignInForm login={login} />
    </Modal>
  );
}
