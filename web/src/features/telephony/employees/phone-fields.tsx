import { Checkbox, Fieldset, Select, SimpleGrid, Stack, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNetworkFilters } from '../../../api/use-network-filters.ts';
import { HINT_BELOW, TRANSPORTS, transportName } from './employee-fields.ts';
import type { PartProps } from './employee-form.tsx';
import { SecretField } from './secret-field.tsx';

const DTMF_MODES = ['auto', 'rfc4733', 'inband', 'info', 'auto_info'] as const;
const ENCRYPTIONS = ['none', 'sdes'] as const;

export function PhoneFields(part: PartProps) {
  const { t } = useTranslation();
  const { employee, values, set, problems } = part;
  const { data: filters } = useNetworkFilters();
  const choices = (filters ?? []).map(({ value, text }) => ({
    value,
    label: value === 'none' ? t('employees.anywhere') : text,
  }));
  const chosen = values.sip_networkfilterid;
  // A deleted one, or not loaded yet: shown with the record's name for it.
  if (!choices.some(({ value }) => value === chosen))
    choices.push({
      value: chosen,
      label: chosen === 'none' ? t('employees.anywhere') : employee.sip_networkfilterid_represent,
    });
  return (
    <Fieldset legend={t('employees.phone')}>
      <Stack>
        <SecretField {...part} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Select
            label={t('employees.field.sip_transport')}
            allowDeselect={false}
            value={values.sip_transport}
            onChange={(value) => value && set('sip_transport', value as typeof values.sip_transport)}
            data={TRANSPORTS.map((value) => ({ value, label: transportName(value) }))}
            inputWrapperOrder={HINT_BELOW}
            description={t('employees.hint.sip_transport')}
            error={problems.sip_transport}
          />
          <Select
            label={t('employees.field.sip_media_encryption')}
            allowDeselect={false}
            value={values.sip_media_encryption}
            onChange={(value) => value && set('sip_media_encryption', value as 'none' | 'sdes')}
            data={ENCRYPTIONS.map((value) => ({ value, label: t(`employees.encryption.${value}`) }))}
            inputWrapperOrder={HINT_BELOW}
            description={t('employees.hint.sip_media_encryption')}
            error={problems.sip_media_encryption}
          />
          <Select
            label={t('employees.field.sip_networkfilterid')}
            allowDeselect={false}
            value={chosen}
            onChange={(value) => value && set('sip_networkfilterid', value)}
            data={choices}
            inputWrapperOrder={HINT_BELOW}
            description={t('employees.hint.sip_networkfilterid')}
            error={problems.sip_networkfilterid}
          />
          <Select
            label={t('employees.field.sip_dtmfmode')}
            allowDeselect={false}
            value={values.sip_dtmfmode}
            onChange={(value) => value && set('sip_dtmfmode', value as typeof values.sip_dtmfmode)}
            data={DTMF_MODES.map((value) => ({ value, label: t(`employees.dtmf.${value}`) }))}
            inputWrapperOrder={HINT_BELOW}
            description={t('employees.hint.sip_dtmfmode')}
            error={problems.sip_dtmfmode}
          />
        </SimpleGrid>
        <Checkbox
          label={t('employees.field.sip_enableRecording')}
          checked={values.sip_enableRecording}
          onChange={({ currentTarget }) => set('sip_enableRecording', currentTarget.checked)}
          error={problems.sip_enableRecording}
        />
        <Textarea
          label={t('employees.field.sip_manualattributes')}
          inputWrapperOrder={HINT_BELOW}
          description={t('employees.hint.sip_manualattributes')}
          autosize
          minRows={2}
          maxRows={10}
          value={values.sip_manualattributes}
          onChange={({ currentTarget }) => set('sip_manualattributes', currentTarget.value)}
          error={problems.sip_manualattributes}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        />
      </Stack>
    </Fieldset>
  );
}
