import { Button, PasswordInput, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { Module } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { SECRET_MASK } from './setting-values.ts';

interface SettingInputProps {
  readonly name: string;
  readonly field: Module['settingFields'][string];
  readonly value: string | boolean;
  readonly isTyped: boolean;
  readonly error: string | undefined;
  readonly onChange: (value: string | boolean) => void;
  /** For a stored secret: an empty field leaves it as it is. */
  readonly onClear: () => void;
}

/** The input for a setting, from the module's declaration. */
export function SettingInput({ name, field, value, isTyped, error, onChange, onClear }: SettingInputProps) {
  const { t } = useTranslation();
  const range = [
    field.min === undefined ? '' : t('modules.from', { min: field.min }),
    field.max === undefined ? '' : t('modules.upTo', { max: field.max }),
  ].filter(Boolean);
  const isNumber = field.type === 'integer' || field.type === 'number';
  const description = [field.description ?? '', ...(isNumber ? [range.join(' ')] : [])].filter(Boolean);
  const shared = {
    label: name,
    ...(description.length > 0 && { description: description.join(' · ') }),
    error,
    ...(field.required && { withAsterisk: true }),
  };
  const text = String(value);
  const type = ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value);

  if (field.type === 'boolean')
    return (
      <Switch
        {...shared}
        checked={value === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  if (field.type === 'string' && field.enum)
    return (
      <Select
        {...shared}
        data={field.enum}
        value={text}
        onChange={(chosen) => onChange(chosen ?? '')}
        allowDeselect={false}
      />
    );
  if (field.secret)
    return (
      <Stack gap={4}>
        <PasswordInput
          {...shared}
          value={text === SECRET_MASK ? '' : text}
          placeholder={text === SECRET_MASK ? t('modules.secretSet') : isTyped ? t('modules.secretGoes') : ''}
          onChange={type}
          autoComplete="off"
        />
        {text === SECRET_MASK && !field.required && (
          <Button variant="subtle" size="compact-xs" w="fit-content" onClick={onClear}>
            {t('modules.clearSecret', { name })}
          </Button>
        )}
        {text === '' && isTyped && (
          <Button variant="subtle" size="compact-xs" w="fit-content" onClick={() => onChange('')}>
            {t('modules.keepSecret', { name })}
          </Button>
        )}
      </Stack>
    );
  if (field.multiline || field.type === 'array' || field.type === 'object')
    return <Textarea {...shared} value={text} onChange={type} autosize minRows={3} maxRows={12} />;
  return <TextInput {...shared} value={text} onChange={type} {...(isNumber && { inputMode: 'numeric' })} />;
}
