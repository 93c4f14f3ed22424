import { Anchor, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Changed } from '../../../ui/changed.tsx';
import { Status, type Tone } from '../../../ui/status.tsx';
import { FilterLink } from './filter-link.tsx';

interface CardProps {
  readonly title: string;
  readonly to: string;
  /** The number to show; `undefined` while unknown, `null` if there is none. */
  readonly count: number | undefined | null;
  /** Reading it failed. */
  readonly isFailed?: boolean;
  readonly children?: ReactNode;
}

/** One question, one number, and a link to the screen with more. */
export function Card({ title, to, count, isFailed = false, children }: CardProps) {
  const { t, i18n } = useTranslation();
  return (
    <Paper withBorder p="md" component="section" mih={{ base: 0, xs: 132 }}>
      <Group justify="space-between" align="baseline" mb={4}>
        <Title order={2} size="h5">
          <Anchor component={Link} to={to} inherit c="inherit">
            {title}
          </Anchor>
        </Title>
        {count === undefined && !isFailed && <Skeleton w={40} h={28} />}
        {count !== undefined && count !== null && (
          <Text fz={26} fw={600} lh={1.2} className="digits">
            <Changed value={count}>{new Intl.NumberFormat(i18n.language).format(count)}</Changed>
          </Text>
        )}
      </Group>
      <Stack gap={4}>
        {count === undefined && isFailed && (
          <Text size="sm" c="dimmed">
            {t('overview.notKnown')}
          </Text>
        )}
        {children}
      </Stack>
    </Paper>
  );
}

interface LineProps {
  readonly tone: Tone;
  readonly label: string;
  readonly count?: number;
  readonly to: string;
  readonly search?: Record<string, string>;
}

/** A part of the number; links to its screen with the filter set. */
export function Line({ tone, label, count, to, search = {} }: LineProps) {
  const { i18n } = useTranslation();
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <FilterLink to={to} search={search} size="sm" className="any-break">
        <Status tone={tone} label={label} />
      </FilterLink>
      {count !== undefined && (
        <Text size="sm" className="digits">
          <Changed value={count}>{new Intl.NumberFormat(i18n.language).format(count)}</Changed>
        </Text>
      )}
    </Group>
  );
}
