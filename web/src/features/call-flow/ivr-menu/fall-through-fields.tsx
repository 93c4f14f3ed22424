import { Fieldset, Stack } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { WholeNumber } from '../../../ui/whole-number.tsx';
import { Sentence } from '../parts/inputs.tsx';
import { SoundPicker } from '../parts/sound-picker.tsx';
import { TargetPicker } from '../parts/target-picker.tsx';
import type { MenuPart } from './menu-form.tsx';

/** Pressing nothing and pressing a wrong key are separate cases; read from top to bottom, it is a text. */
export function FallThroughFields({ record, values, set, problems }: MenuPart) {
  const { t } = useTranslation();
  const count = (name: 'timeout' | 'number_of_repeat') => (
    <WholeNumber
      aria-label={t(`ivr-menu.field.${name}`)}
      w={68}
      value={values[name]}
      onChange={(value) => set(name, value)}
      error={problems[name] !== undefined}
    />
  );
  const target = (name: 'timeout_extension' | 'invalid_extension', nothing: string) => (
    <TargetPicker
      label={t(`ivr-menu.field.${name}`)}
      value={values[name]}
      represent={values[name] === record[name] ? record[`${name}_represent`] : ''}
      nothing={nothing}
      onChange={(value) => set(name, value)}
      error={problems[name]}
    />
  );
  const sound = (name: 'timeout_audio_message_id' | 'invalid_audio_message_id') => (
    <SoundPicker
      label={t(`ivr-menu.field.${name}`)}
      value={values[name]}
      represent={record[`${name}_represent`]}
      nothing={t('ivr-menu.nothingMore')}
      onChange={(id) => set(name, id)}
      error={problems[name]}
    />
  );
  return (
    <Fieldset legend={t('ivr-menu.otherwise')}>
      <Stack gap="sm">
        <Sentence problem={problems.timeout ?? problems.number_of_repeat}>
          <Trans
            i18nKey="ivr-menu.sentence.wait"
            components={{ seconds: count('timeout'), times: count('number_of_repeat') }}
          />
        </Sentence>
        <Sentence>
          <Trans
            i18nKey="ivr-menu.sentence.before"
            components={{
              silent: sound('timeout_audio_message_id'),
              wrong: sound('invalid_audio_message_id'),
            }}
          />
        </Sentence>
        <Sentence>
          <Trans
            i18nKey="ivr-menu.sentence.silence"
            components={{ target: target('timeout_extension', t('call-flow.word.hangup')) }}
          />
        </Sentence>
        <Sentence>
          <Trans
            i18nKey="ivr-menu.sentence.wrong"
            components={{ target: target('invalid_extension', t('ivr-menu.asSilence')) }}
          />
        </Sentence>
      </Stack>
    </Fieldset>
  );
}
