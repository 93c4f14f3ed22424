import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CLIENTS, type ClientName } from './key-values.ts';

interface ClientSelectProps {
  readonly value: ClientName;
  readonly onChange: (client: ClientName) => void;
  readonly error?: string | undefined;
}

/** The program that polls with the key: each reads bans in its own way. */
export function ClientSelect({ value, onChange, error }: ClientSelectProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={t('api-keys.client')}
      description={t('api-keys.clientHint')}
      data={[
        { value: '', label: t('api-keys.anyClient') },
        ...CLIENTS.map((name) => ({ value: name, label: name })),
      ]}
      value={value}
      onChange={(client) => onChange((client ?? '') as ClientName)}
      allowDeselect={false}
      error={error}
    />
  );
}
