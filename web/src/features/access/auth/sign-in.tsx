import { Button, Center, Checkbox, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { session } from '../../../api/api.ts';
import { messageOf } from '../../../api/errors.ts';

/** Fills the window while there is no session. */
export function SignIn() {
  const { t } = useTranslation();
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="lg" w={380}>
        <Title order={1} size="h3" mb="md">
          {t('auth.title')}
        </Title>
        <SignInForm />
        <Text size="xs" c="dimmed" mt="md">
          {t('auth.firstStartHint')}
        </Text>
      </Paper>
    </Center>
  );
}

/** With a fixed `login`, asks only for the password. */
export function SignInForm({ login }: { readonly login?: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [name, setName] = useState(login ?? 'admin');
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');

  async function submit(event: FormEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    try {
      await session.login(name, password, remember);
      // The first steps begin with setting a password; a continued session stays where it is.
      if (login === undefined && session.view().passwordIsGenerated) await navigate({ to: '/welcome' });
    } catch (error) {
      setProblem(messageOf(error));
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {login === undefined && (
          <TextInput
            label={t('auth.login')}
            autoComplete="username"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
        <PasswordInput
          label={t('auth.password')}
          autoComplete="current-password"
          value={password}
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          error={problem}
          data-autofocus
          autoFocus
        />
        <Checkbox
          label={t('auth.remember')}
          checked={remember}
          onChange={({ currentTarget }) => setRemember(currentTarget.checked)}
        />
        <Button type="submit" loading={busy} disabled={password === ''}>
          {t('auth.signIn')}
        </Button>
      </Stack>
    </form>
  );
}
