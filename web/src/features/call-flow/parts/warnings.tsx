import { Alert, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../../api/query-client.ts';

interface Answer<Stored> {
  readonly data: Stored;
  readonly messages: { readonly warning: readonly string[] };
}

const keyOf = (resource: string, id: string) => ['warnings', resource, id];

/** Keeps the warnings about a stored record for the screen that shows it: a notice would disappear too soon. */
export function keepWarnings<Stored extends { readonly id: string }>(
  resource: string,
  { data, messages }: Answer<Stored>,
): Answer<Stored> {
  queryClient.setQueryData(keyOf(resource, data.id), messages.warning);
  return { data, messages: { warning: [] } };
}

export function Warnings({ resource, id }: { readonly resource: string; readonly id: string }) {
  const { t } = useTranslation();
  const { data: warnings = [] } = useQuery<readonly string[]>({
    queryKey: keyOf(resource, id),
    queryFn: () => [],
    enabled: false,
  });
  if (warnings.length === 0) return null;
  return (
    <Alert color="orange" role="status">
      <Text size="sm" fw={600} mb={4}>
        {t('call-flow.warnings')}
      </Text>
      <List size="sm">
        {warnings.map((warning) => (
          // The API name of the field means nothing here.
          <List.Item key={warning}>{warning.replace(/^[\w.[\]]+: /, '')}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
