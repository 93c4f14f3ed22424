import { AppShell, Burger, Center, Group, NavLink, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { Suspense, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../api/api.ts';
import { Failure } from '../ui/failure.tsx';
import { AccountMenu } from './account-menu.tsx';
import { later } from './later.tsx';
import { LiveState } from './live-state.tsx';
import { NewVersion } from './new-version.tsx';
import { PaletteButton } from './palette-button.tsx';
import { SCREENS } from './screens.ts';
import { useShortcuts } from './shortcuts.tsx';
import { usePalette } from './use-palette.tsx';

const SignIn = later(async () => (await import('../features/access/auth/sign-in.tsx')).SignIn);
const SignInAgain = later(
  async () => (await import('../features/access/auth/sign-in-again.tsx')).SignInAgain,
);

/** The frame of every screen. Without a session, only the sign-in is shown. */
export function Shell() {
  const { state } = useSession();
  useEffect(() => {
    // An offer to the previous person is not for the next one.
    if (state === 'out') notifications.clean();
  }, [state]);
  if (state === 'starting') return null;
  if (state === 'unanswered')
    return (
      <Center mih="100vh" p="md" component="main">
        <Failure error={new TypeError('fetch failed')} />
      </Center>
    );
  if (state === 'out')
    return (
      <Suspense fallback={null}>
        <SignIn />
      </Suspense>
    );
  return (
    <>
      <Frame />
      {state === 'expired' && (
        <Suspense fallback={null}>
          <SignInAgain />
        </Suspense>
      )}
    </>
  );
}

function Frame() {
  const { t } = useTranslation();
  const [opened, menu] = useDisclosure(false);
  const { openPalette, palette } = usePalette();
  const shortcuts = useShortcuts(openPalette);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <a href="#main" className="skip">
        {t('app.skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={opened}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('app.menu')}
            />
            <Text fw={700}>pbxcore</Text>
            <LiveState />
          </Group>
          <Group gap="xs" wrap="nowrap">
            <PaletteButton onOpen={openPalette} />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" component="nav" aria-label={t('app.navigation')}>
        <ScrollArea>
          <Navigation onChoose={menu.close} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <NewVersion />
        <Outlet />
      </AppShell.Main>
      {palette}
      {shortcuts}
    </AppShell>
  );
}

function Navigation({ onChoose }: { readonly onChoose: () => void }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const isHere = (to: string) => (to === '/' ? pathname === '/' : pathname.startsWith(to));
  return (
    <>
      {SCREENS.map(({ group, screens }) => (
        <div key={group}>
          {screens.length > 1 && (
            <Text size="xs" c="dimmed" tt="uppercase" mt="md" mb={4} px="sm">
              {t(`app.group.${group}`)}
            </Text>
          )}
          {screens.map(({ id, to }) => (
            <NavLink
              key={id}
              component={Link}
              to={to}
              label={t(`app.screen.${id}`)}
              active={isHere(to)}
              {...(isHere(to) && { 'aria-current': 'page' as const })}
              onClick={onChoose}
            />
          ))}
        </div>
      ))}
      <NavLink component="a" href="/docs" label={t('app.screen.docs')} />
    </>
  );
}
