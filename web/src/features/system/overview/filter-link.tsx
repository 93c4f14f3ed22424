import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface FilterLinkProps extends AnchorProps {
  readonly to: string;
  readonly search: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}

/** To a screen with its filter set; which names it knows is its own business, so the router cannot check them. */
export function FilterLink({ search, ...props }: FilterLinkProps) {
  return <Anchor component={Link} search={search as never} c="inherit" {...props} />;
}
