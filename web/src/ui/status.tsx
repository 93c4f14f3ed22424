import { Group, Text } from '@mantine/core';
import classes from './status.module.css';

export type Tone = 'good' | 'busy' | 'warning' | 'bad' | 'off';

/** Never colour alone: each tone has a shape of its own, and the word is beside it. */
export function Status({ tone, label }: { readonly tone: Tone; readonly label: string }) {
  return (
    <Group gap={6} wrap="nowrap" component="span">
      <span className={classes.mark} data-tone={tone} aria-hidden />
      <Text component="span" size="sm">
        {label}
      </Text>
    </Group>
  );
}
