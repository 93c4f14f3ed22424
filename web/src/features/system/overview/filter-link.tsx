import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface FilterLinkProps extends AnchorProps {
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}

/** Links to a screen with its filter set; only the screen knows its filters, so the router cannot check them. */
export function FilterLink({ search, ...props }: FilterLinkProps) {
  return <Anchor component={Link} search={search as never} c="inherit" {...props} />;
}
