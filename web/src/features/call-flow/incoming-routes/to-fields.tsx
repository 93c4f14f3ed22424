import { Fieldset, Stack, Switch, Text } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { WholeNumber } from '../../../ui/whole-number.tsx';
import { Sentence } from '../parts/inputs.tsx';
import { SoundPicker } from '../parts/sound-picker.tsx';
import { TargetPicker } from '../parts/target-picker.tsx';
import type { RoutePart } from './route-form.tsx';

/** What happens to these calls, worded as a sentence. */
export function ToFields({
  record,
  values,
  set,
  problems,
  isDefault,
}: RoutePart & { readonly isDefault: boolean }) {
  const { t } = useTranslation();
  const target = (
    <TargetPicker
      label={t('incoming-routes.field.extension')}
      value={values.extension}
      represent={values.extension === record.extension ? record.extension_represent : ''}
      {...(isDefault && { nothing: t('incoming-routes.refused') })}
      onChange={(value) => set('extension', value)}
      error={problems.extension}
    />
  );
  const sound = (
    <SoundPicker
      label={t('incoming-routes.field.audio_message_id')}
      value={values.audio_message_id}
      represent={record.audio_message_id_represent}
      nothing={t('incoming-routes.noSound')}
      onChange={(id) => set('audio_message_id', id)}
      error={problems.audio_message_id}
    />
  );
  const seconds = (
    <WholeNumber
      // The default route is the last one.
      aria-label={t(isDefault ? 'incoming-routes.lastTimeout' : 'incoming-routes.field.timeout')}
      w={80}
      value={values.timeout}
      onChange={(value) => set('timeout', value)}
      error={problems.timeout !== undefined}
    />
  );
  return (
    <Fieldset legend={t('incoming-routes.where')}>
      <Stack gap="sm">
        {isDefault && (
          <Switch
            label={t('incoming-routes.field.did_to_extension')}
            description={t('incoming-routes.hint.did_to_extension')}
            checked={values.did_to_extension}
            onChange={({ currentTarget }) => set('did_to_extension', currentTarget.checked)}
          />
        )}
        <Sentence>
          <Trans i18nKey="incoming-routes.sentence.sound" components={{ sound }} />
        </Sentence>
        <Sentence>
          <Trans
            i18nKey={isDefault ? 'incoming-routes.sentence.default' : 'incoming-routes.sentence.target'}
            components={{ target }}
          />
        </Sentence>
        <Sentence problem={problems.timeout}>
          <Trans
            i18nKey={isDefault ? 'incoming-routes.sentence.lastTimeout' : 'incoming-routes.sentence.timeout'}
            components={{ seconds }}
          />
        </Sentence>
        <Text size="xs" c="dimmed">
          {t('incoming-routes.hint.timeout')}
        </Text>
      </Stack>
    </Fieldset>
  );
}
