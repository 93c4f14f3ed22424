import { PasswordInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { session } from '../../../api/api.ts';
import { fieldErrors } from '../../../api/errors.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { Form } from '../../../ui/form.tsx';
import { say } from '../../../ui/undo.tsx';

const FIELDS = ['currentPassword', 'newPassword'] as const;
const NOTHING = { currentPassword: '', newPassword: '', repeated: '' };

interface PasswordFormProps {
  readonly onDone: () => void;
  readonly beside?: ReactNode;
}

/** One's own password. Every other session of the account ends with it. */
export function PasswordForm({ onDone, beside }: PasswordFormProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(NOTHING);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [problems, setProblems] = useState<string[]>([]);

  async function submit() {
    setErrors({});
    setProblems([]);
    if (typed.newPassword !== typed.repeated) return setErrors({ repeated: t('auth.notTheSame') });
    setBusy(true);
    try {
      await session.changePassword(typed.currentPassword, typed.newPassword);
      setTyped(NOTHING);
      say(t('auth.changed'));
      onDone();
    } catch (error) {
      const { fields, rest } = fieldErrors(error, FIELDS);
      setErrors(fields);
      setProblems(rest);
    } finally {
      setBusy(false);
    }
  }

  const field = (name: keyof typeof NOTHING) => ({
    label: t(`auth.${name}`),
    value: typed[name],
    error: errors[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      setTyped({ ...typed, [name]: currentTarget.value }),
  });
  return (
    <Form
      onSubmit={() => void submit()}
      busy={busy}
      problems={problems}
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
