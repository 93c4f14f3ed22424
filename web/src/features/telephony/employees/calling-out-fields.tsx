import { Fieldset, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { HINT_BELOW } from './employee-fields.ts';
import type { PartProps } from './employee-form.tsx';

const CLASSES = ['internal', 'national', 'international', 'premium'] as const;

export function CallingOutFields({ values, set, problems }: PartProps) {
  const { t } = useTranslation();
  return (
    <Fieldset legend={t('employees.callingOut')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label={t('employees.field.outgoing_callerid')}
          value={values.outgoing_callerid}
          onChange={({ currentTarget }) => set('outgoing_callerid', currentTarget.value)}
          inputWrapperOrder={HINT_BELOW}
          description={t('employees.hint.outgoing_callerid')}
          error={problems.outgoing_callerid}
        />
        <Select
          label={t('employees.field.call_class')}
          allowDeselect={false}
          value={values.call_class}
          onChange={(value) => value && set('call_class', value as (typeof CLASSES)[number])}
          data={CLASSES.map((value) => ({ value, label: t(`employees.class.${value}`) }))}
          inputWrapperOrder={HINT_BELOW}
          description={t('employees.hint.call_class')}
          error={problems.call_class}
        />
      </SimpleGrid>
    </Fieldset>
  );
}
