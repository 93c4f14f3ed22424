import { Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { isLost } from './focus.ts';
import classes from './page.module.css';

interface PageProps {
  readonly title: string;
  /** Buttons to the right of the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** On the first screen of a visit, the focus starts as on every page, before the link that skips the navigation. */
let hasShown = false;

/** One screen: its title, also for the window, and its actions. */
export function Page({ title, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · pbxcore`;
  }, [title]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // If the pressed element, a link in a row or a form's button, is gone, focus moves to the new screen's title.
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
