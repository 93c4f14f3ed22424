import { Fieldset, Radio, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { WholeNumber } from '../../../ui/whole-number.tsx';
import { HINT_BELOW, Sentence } from '../parts/inputs.tsx';
import { SoundPicker } from '../parts/sound-picker.tsx';
import type { QueueFields } from './queue-fields.ts';
import type { QueuePart } from './queue-form.tsx';

const HEAR = ['ringing', 'moh'] as const;

/** What callers hear while they wait, and what members see. */
export function WaitingFields({ record, values, set, problems }: QueuePart) {
  const { t } = useTranslation();
  const announcement = (
    <SoundPicker
      label={t('call-queues.field.periodic_announce_sound_id')}
      value={values.periodic_announce_sound_id}
      represent={record.periodic_announce_sound_id_represent}
      nothing={t('call-queues.nothing')}
      onChange={(id) => set('periodic_announce_sound_id', id)}
      error={problems.periodic_announce_sound_id}
    />
  );
  const seconds = (
    <WholeNumber
      aria-label={t('call-queues.field.periodic_announce_frequency')}
      w={72}
      value={values.periodic_announce_frequency}
      onChange={(value) => set('periodic_announce_frequency', value)}
      error={problems.periodic_announce_frequency !== undefined}
    />
  );
  const flag = (name: 'announce_position' | 'announce_hold_time') => (
    <Switch
      label={t(`call-queues.field.${name}`)}
      checked={values[name]}
      onChange={({ currentTarget }) => set(name, currentTarget.checked)}
    />
  );
  return (
    <Fieldset legend={t('call-queues.waiting')}>
      <Stack gap="sm">
        <Radio.Group
          label={t('call-queues.field.caller_hear')}
          value={values.caller_hear}
          onChange={(value) => set('caller_hear', value as QueueFields['caller_hear'])}
        >
          <Stack gap={8} mt={6}>
            {HEAR.map((value) => (
              <Radio key={value} value={value} label={t(`call-queues.hear.${value}`)} />
            ))}
          </Stack>
        </Radio.Group>
        {values.caller_hear === 'moh' && (
          <SoundPicker
            label={t('call-queues.field.moh_sound_id')}
            withLabel
            category="moh"
            value={values.moh_sound_id}
            represent={record.moh_sound_id_represent}
            nothing={t('call-queues.allMusic')}
            onChange={(id) => set('moh_sound_id', id)}
            error={problems.moh_sound_id}
          />
        )}
        <Sentence problem={problems.periodic_announce_frequency}>
          <Trans i18nKey="call-queues.sentence.announce" components={{ sound: announcement, seconds }} />
        </Sentence>
        {flag('announce_position')}
        {flag('announce_hold_time')}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t('call-queues.field.callerid_prefix')}
            inputWrapperOrder={HINT_BELOW}
            description={t('call-queues.prefixHint')}
            autoComplete="off"
            value={values.callerid_prefix}
            onChange={({ currentTarget }) => set('callerid_prefix', currentTarget.value)}
            error={problems.callerid_prefix}
          />
        </SimpleGrid>
      </Stack>
    </Fieldset>
  );
}
