import { ActionIcon, Button, Menu, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/api.ts';
import { chooseLanguage, LANGUAGES, type Language } from '../texts/i18n.ts';
import { MoonIcon, SunIcon } from '../ui/icons.tsx';
import { signOut } from '../ui/leaving.ts';

export function AccountMenu() {
  const { t, i18n } = useTranslation();
  const { login } = useSession();
  return (
    <>
      <SchemeSwitch />
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button variant="default" size="compact-md" aria-label={t('app.account', { login })}>
            {login}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('app.language')}</Menu.Label>
          {(Object.keys(LANGUAGES) as Language[]).map((language) => (
            <Menu.Item
              key={language}
              lang={language}
              onClick={() => void chooseLanguage(language)}
              {...(i18n.language === language && { fw: 700, 'aria-current': true })}
            >
              {LANGUAGES[language]}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item component={Link} to="/welcome">
            {t('app.welcome')}
          </Menu.Item>
          <Menu.Item component={Link} to="/password">
            {t('app.password')}
          </Menu.Item>
          <Menu.Item onClick={() => void signOut()}>{t('app.signOut')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

function SchemeSwitch() {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme('light');
  return (
    <ActionIcon
      variant="default"
      size="md"
      aria-label={t(shown === 'dark' ? 'app.light' : 'app.dark')}
      onClick={() => setColorScheme(shown === 'dark' ? 'light' : 'dark')}
    >
      {shown === 'dark' ? <SunIcon /> : <MoonIcon />}
    </ActionIcon>
  );
}
