import { PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import type { Module } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { SECRET_MASK } from './setting-values.ts';

interface SettingInputProps {
  readonly name: string;
  readonly field: Module['settingFields'][string];
  readonly value: string | boolean;
  readonly error: string | undefined;
  readonly onChange: (value: string | boolean) => void;
}

/** The input that fits what the module says of a setting. */
export function SettingInput({ name, field, value, error, onChange }: SettingInputProps) {
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
  if (field.enum)
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
      <PasswordInput
        {...shared}
        value={text === SECRET_MASK ? '' : text}
        placeholder={text === SECRET_MASK ? t('modules.secretSet') : ''}
        onChange={type}
        autoComplete="off"
      />
    );
  if (field.multiline || field.type === 'array' || field.type === 'object')
    return <Textarea {...shared} value={text} onChange={type} autosize minRows={3} maxRows={12} />;
  return <TextInput {...shared} value={text} onChange={type} {...(isNumber && { inputMode: 'numeric' })} />;
}
