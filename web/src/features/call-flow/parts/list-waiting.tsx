import { Skeleton, Stack } from '@mantine/core';

export function ListWaiting() {
  return (
    <Stack gap={6} aria-busy="true">
      <Skeleton height={58} />
      <Skeleton height={58} />
      <Skeleton height={58} />
    </Stack>
  );
}
