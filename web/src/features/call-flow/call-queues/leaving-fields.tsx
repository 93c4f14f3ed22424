import { Fieldset, Stack, Text } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { WholeNumber } from '../../../ui/whole-number.tsx';
import { Sentence } from '../parts/inputs.tsx';
import { TargetPicker } from '../parts/target-picker.tsx';
import type { QueuePart } from './queue-form.tsx';

type Target = 'timeout_extension' | 'redirect_to_extension_if_empty' | 'redirect_to_extension_if_full';

/** When callers stop waiting, and where they go then. */
export function LeavingFields({ record, values, set, problems }: QueuePart) {
  const { t } = useTranslation();
  const target = (name: Target) => (
    <TargetPicker
      label={t(`call-queues.field.${name}`)}
      value={values[name]}
      represent={values[name] === record[name] ? record[`${name}_represent`] : ''}
      nothing={t(`call-queues.without.${name}`)}
      onChange={(value) => set(name, value)}
      error={problems[name]}
    />
  );
  const count = (name: 'timeout_to_redirect_to_extension' | 'max_waiting') => (
    <WholeNumber
      aria-label={t(`call-queues.field.${name}`)}
      w={80}
      value={values[name]}
      onChange={(value) => set(name, value)}
      error={problems[name] !== undefined}
    />
  );
  return (
    <Fieldset legend={t('call-queues.leaving')}>
      <Stack gap="sm">
        <Sentence problem={problems.timeout_to_redirect_to_extension}>
          <Trans
            i18nKey="call-queues.sentence.timeout"
            components={{
              seconds: count('timeout_to_redirect_to_extension'),
              target: target('timeout_extension'),
            }}
          />
        </Sentence>
        <Sentence>
          <Trans
            i18nKey="call-queues.sentence.empty"
            components={{ target: target('redirect_to_extension_if_empty') }}
          />
        </Sentence>
        <Sentence problem={problems.max_waiting}>
          <Trans
            i18nKey="call-queues.sentence.full"
            components={{ most: count('max_waiting'), target: target('redirect_to_extension_if_full') }}
          />
        </Sentence>
        <Text size="xs" c="dimmed">
          {t('call-queues.zeroHint')}
        </Text>
      </Stack>
    </Fieldset>
  );
}
