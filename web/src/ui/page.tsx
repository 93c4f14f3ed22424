import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { isLost } from './focus.ts';
import classes from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The first screen of a visit begins as every page does, with the way past the navigation. */
let hasShown = false;

/** One screen: its title, also that of the window, and what can be done on it. */
export function Page({ title, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · pbxcore`;
  }, [title]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Whoever pressed what is gone now, a row's link or the button of a form, goes on at the top of the new screen.
    if (hasShown && isLost()) heading.current?.focus({ preventScroll: true });
    hasShown = true;
  }, []);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="center" gap="sm">
        <Title order={1} size="h2" tabIndex={-1} ref={heading} className={classes.title}>
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}
