import { Fieldset, Input, Select, Stack, Switch, Text } from '@mantine/core';
import type { BouncerOptions } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';

const FLAGS = ['deleted_excludes_present', 'one_per_address', 'subtract_whitelist'] as const;
const FORMATS = ['seconds', 'go', 'go_fraction'] as const;

interface BouncerOptionFieldsProps {
  readonly options: BouncerOptions;
  readonly onChange: (options: BouncerOptions) => void;
  /** Another client was chosen: saving it sets all options. */
  readonly isSetByClient: boolean;
  readonly error?: string | undefined;
}

/** How bans are presented to this key. */
export function BouncerOptionFields({ options, onChange, isSetByClient, error }: BouncerOptionFieldsProps) {
  const { t } = useTranslation();
  if (isSetByClient) return <Text size="sm">{t('api-keys.setByClient')}</Text>;
  return (
    <Fieldset legend={t('api-keys.fields.bouncer_options')}>
      <Stack gap="sm">
        {FLAGS.map((name) => (
          <Switch
            key={name}
            label={t(`api-keys.options.${name}`)}
            checked={options[name]}
            onChange={({ currentTarget }) => onChange({ ...options, [name]: currentTarget.checked })}
          />
        ))}
        <Select
          label={t('api-keys.options.duration_format')}
          data={FORMATS.map((value) => ({ value, label: t(`api-keys.formats.${value}`) }))}
          value={options.duration_format}
          onChange={(value) => onChange({ ...options, duration_format: value ?? 'seconds' })}
          allowDeselect={false}
          maw={320}
        />
        {error && <Input.Error>{error}</Input.Error>}
      </Stack>
    </Fieldset>
  );
}
