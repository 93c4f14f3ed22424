import { PasswordInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { session } from '../../../api/api.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { Form } from '../../../ui/form.tsx';
import { useSending } from '../../../ui/sending.ts';
import { say } from '../../../ui/undo.tsx';

const FIELDS = ['currentPassword', 'newPassword'] as const;
const NOTHING = { currentPassword: '', newPassword: '', repeated: '' };

interface PasswordFormProps {
  readonly onDone: () => void;
  readonly beside?: ReactNode;
}

/** The form for one's own password. Changing it ends every other session of the account. */
export function PasswordForm({ onDone, beside }: PasswordFormProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(NOTHING);
  const { busy, problems, send, refuse } = useSending(FIELDS);

  async function submit() {
    if (typed.newPassword !== typed.repeated) return refuse({ repeated: t('auth.notTheSame') });
    await send(async () => {
      await session.changePassword(typed.currentPassword, typed.newPassword);
      setTyped(NOTHING);
      say(t('auth.changed'));
      onDone();
    });
  }

  const field = (name: keyof typeof NOTHING) => ({
    label: t(`auth.${name}`),
    value: typed[name],
    error: problems.fields[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setTyped({ ...typed, [name]: currentTarget.value }),
  });
  return (
    <Form
      onSubmit={() => void submit()}
      busy={busy}
      problems={problems.rest}
      action={t('auth.change')}
      beside={
        <>
          {beside}
          <ApiCall
            method="POST"
            path="/auth:changePassword"
            body={{ currentPassword: '…', newPassword: '…' }}
          />
        </>
      }
    >
      <PasswordInput {...field('currentPassword')} autoComplete="current-password" />
      <PasswordInput
        {...field('newPassword')}
        description={t('auth.newPasswordHint')}
        autoComplete="new-password"
      />
      <PasswordInput {...field('repeated')} autoComplete="new-password" />
    </Form>
  );
}
