import { Fieldset, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { HINT_BELOW } from '../parts/inputs.tsx';
import type { OutboundFields } from './outbound-fields.ts';
import type { OutboundPart } from './outbound-form.tsx';

const CLASSES = ['national', 'international', 'premium'] as const;
const FORWARDED = ['caller', 'own'] as const;

/** Who may use the route, and which number is shown. */
export function CallerFields({ values, set, problems }: OutboundPart) {
  const { t } = useTranslation();
  return (
    <Fieldset legend={t('outbound-routes.callers')}>
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <Select
          label={t('outbound-routes.field.call_class')}
          inputWrapperOrder={HINT_BELOW}
          description={t('outbound-routes.classHint')}
          allowDeselect={false}
          value={values.call_class}
          data={CLASSES.map((value) => ({ value, label: t(`outbound-routes.class.${value}`) }))}
          onChange={(value) => value && set('call_class', value as OutboundFields['call_class'])}
          error={problems.call_class}
        />
        <TextInput
          label={t('outbound-routes.field.callerid')}
          inputWrapperOrder={HINT_BELOW}
          description={t('outbound-routes.calleridHint')}
          autoComplete="off"
          value={values.callerid}
          onChange={({ currentTarget }) => set('callerid', currentTarget.value)}
          error={problems.callerid}
        />
        <Select
          label={t('outbound-routes.field.callerid_forwarded')}
          inputWrapperOrder={HINT_BELOW}
          allowDeselect={false}
          value={values.callerid_forwarded}
          data={FORWARDED.map((value) => ({ value, label: t(`outbound-routes.forwarded.${value}`) }))}
          onChange={(value) =>
            value && set('callerid_forwarded', value as OutboundFields['callerid_forwarded'])
          }
          error={problems.callerid_forwarded}
        />
      </SimpleGrid>
    </Fieldset>
  );
}
