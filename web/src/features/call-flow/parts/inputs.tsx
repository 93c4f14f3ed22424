import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** What each part of a form is given. */
export interface Part<Stored, Values> {
  readonly record: Stored;
  readonly values: Values;
  readonly set: <Name extends keyof Values>(name: Name, value: Values[Name]) => void;
  readonly problems: Readonly<Record<string, string>>;
}

/** Fields of one row keep one height with and without a hint. */
export const HINT_BELOW: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
];

/** A line of a form that is read as a sentence, and below it what the service refuses of it. */
export function Sentence({
  children,
  problem,
}: {
  readonly children: ReactNode;
  readonly problem?: string | undefined;
}) {
  return (
    <div>
      <Group gap={8} align="center" fz="sm">
        {children}
      </Group>
      {problem && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert" mt={4}>
          {problem}
        </Text>
      )}
    </div>
  );
}
