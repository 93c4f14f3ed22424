import { Select, Switch, TextInput } from '@mantine/core';
import type { SipProvider } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { WholeNumber } from '../../../ui/whole-number.tsx';
import type { ProviderFields } from './provider-fields.ts';

/** Properties of each part of the form. */
export interface PartProps {
  readonly provider: SipProvider;
  readonly values: ProviderFields;
  readonly set: <Name extends keyof ProviderFields>(name: Name, value: ProviderFields[Name]) => void;
  readonly problems: Readonly<Record<string, string>>;
}

type NamesOf<Type> = {
  [Name in keyof ProviderFields]: ProviderFields[Name] extends Type ? Name : never;
}[keyof ProviderFields];
type TextName = NamesOf<string>;

/** Fields in one row have the same height with and without a hint. */
const HINT_BELOW: ('label' | 'input' | 'description' | 'error')[] = [
  'label',
  'input',
  'description',
  'error',
];

/** Inputs of the form by field name, which determines label, hint, value and problem. */
export function useInputs({ values, set, problems }: PartProps) {
  const { t, i18n } = useTranslation();
  const shared = (name: keyof ProviderFields) => {
    const hint = `sip-providers.hint.${name}`;
    return {
      label: t(`sip-providers.field.${name}`),
      error: problems[name],
      inputWrapperOrder: HINT_BELOW,
      ...(i18n.exists(hint) && { description: t(hint) }),
    };
  };
  return {
    shared,
    text: (name: TextName, required = false) => (
      <TextInput
        {...shared(name)}
        required={required}
        autoComplete="off"
        value={values[name]}
        onChange={({ currentTarget }) => set(name, currentTarget.value as never)}
      />
    ),
    number: (name: NamesOf<number>) => (
      <WholeNumber {...shared(name)} value={values[name]} onChange={(value) => set(name, value)} />
    ),
    choice: (name: TextName, options: readonly string[], label: (value: string) => string) => (
      <Select
        {...shared(name)}
        allowDeselect={false}
        value={values[name]}
        data={options.map((value) => ({ value, label: label(value) }))}
        onChange={(value) => value !== null && set(name, value as never)}
      />
    ),
    flag: (name: NamesOf<boolean>) => (
      <Switch
        label={t(`sip-providers.field.${name}`)}
        error={problems[name]}
        checked={values[name]}
        onChange={({ currentTarget }) => set(name, currentTarget.checked)}
      />
    ),
  };
}
