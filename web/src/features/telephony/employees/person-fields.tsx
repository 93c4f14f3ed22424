import { Fieldset, SimpleGrid, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { HINT_BELOW } from './employee-fields.ts';
import type { PartProps } from './employee-form.tsx';
import { NumberField } from './number-field.tsx';

export function PersonFields(part: PartProps) {
  const { t } = useTranslation();
  const { values, set, problems } = part;
  const text = (name: 'user_username' | 'user_email' | 'mobile_number' | 'mobile_dialstring') => ({
    label: t(`employees.field.${name}`),
    value: values[name],
    error: problems[name],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => set(name, currentTarget.value),
  });
  return (
    <Fieldset legend={t('employees.person')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput {...text('user_username')} required autoComplete="off" data-autofocus />
        <NumberField {...part} />
        <TextInput {...text('user_email')} type="email" autoComplete="off" />
        <TextInput
          {...text('mobile_number')}
          type="tel"
          autoComplete="off"
          inputWrapperOrder={HINT_BELOW}
          description={t('employees.hint.mobile_number')}
        />
        <TextInput
          {...text('mobile_dialstring')}
          autoComplete="off"
          inputWrapperOrder={HINT_BELOW}
          description={t('employees.hint.mobile_dialstring')}
        />
      </SimpleGrid>
    </Fieldset>
  );
}
