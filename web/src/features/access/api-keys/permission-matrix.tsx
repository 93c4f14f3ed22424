import { Input, SegmentedControl, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { type Grants, type Level, withLevel } from './key-values.ts';

interface PermissionMatrixProps {
  readonly grants: Grants;
  readonly onChange: (grants: Grants) => void;
  readonly error?: string | undefined;
  readonly disabled?: boolean;
}

/** Every resource with none, read or write. Without a choice, nothing is allowed. */
export function PermissionMatrix({ grants, onChange, error, disabled = false }: PermissionMatrixProps) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['openapi', 'getSimplifiedPermissions'],
    queryFn: async () => (await api.openapi.getSimplifiedPermissions()).data.resources,
  });
  const known = Object.values(data ?? {});
  // A removed module may have had a resource that is still in the key.
  const gone = Object.keys(grants)
    .filter((path) => data && !known.some((resource) => resource.path === path))
    .map((path) => ({
      path,
      label: path,
      description: t('api-keys.goneResource'),
      available_actions: ['read', 'write'],
    }));

  return (
    <Stack gap={4}>
      <Table.ScrollContainer minWidth={320}>
        <Table verticalSpacing={4} captionSide="top">
          <caption className="unseen">{t('api-keys.permissions')}</caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('api-keys.resource')}</Table.Th>
              <Table.Th>{t('api-keys.level')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {[...known, ...gone].map(({ path, label, description, available_actions: levels }) => (
              <Table.Tr key={path}>
                <Table.Td>
                  <Text size="sm">{label}</Text>
                  <Text size="xs" c="dimmed" className="wide-only" m={0}>
                    {description}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <SegmentedControl
                    size="xs"
                    aria-label={label}
                    disabled={disabled}
                    value={grants[path] ?? 'none'}
                    onChange={(level) => onChange(withLevel(grants, path, level as Level))}
                    data={(['none', 'read', 'write'] as const).map((value) => ({
                      value,
                      label: t(`api-keys.levels.${value}`),
                      disabled: value !== 'none' && !(levels as string[]).includes(value),
                    }))}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {error && <Input.Error>{error}</Input.Error>}
    </Stack>
  );
}
