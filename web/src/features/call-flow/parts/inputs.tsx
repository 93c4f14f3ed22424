import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Properties of each part of a form. */
export interface Part<Stored, Values> {
  readonly record: Stored;
  readonly values: Values;
  readonly set: <Name extends keyof Values>(name: Name, value: Values[Name]) => void;
  readonly problems: Readonly<Record<string, string>>;
}

/** Fields in one row have the same height with and without a hint. */
export const HINT_BELOW: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
];

/** A line of a form that is worded as a sentence, with the service's objection below it. */
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
