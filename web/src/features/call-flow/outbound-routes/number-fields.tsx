import { Fieldset, Select, Stack, Text, TextInput } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { WholeNumber } from '../../../ui/whole-number.tsx';
import { Sentence } from '../parts/inputs.tsx';
import { ANY_REST } from './outbound-fields.ts';
import type { OutboundPart } from './outbound-form.tsx';

const MOST_REST = 20;
const RESTS = [ANY_REST, ...Array.from({ length: MOST_REST + 1 }, (_, count) => count)];

/** Which numbers the route accepts and how it changes them, worded as two sentences. */
export function NumberFields({ values, set, problems }: OutboundPart) {
  const { t } = useTranslation();
  const begin = (
    <TextInput
      aria-label={t('outbound-routes.field.numberbeginswith')}
      placeholder={t('outbound-routes.anything')}
      autoComplete="off"
      w={170}
      value={values.numberbeginswith}
      onChange={({ currentTarget }) => set('numberbeginswith', currentTarget.value)}
      error={problems.numberbeginswith !== undefined}
    />
  );
  const rest = (
    <Select
      aria-label={t('outbound-routes.field.restnumbers')}
      w={220}
      allowDeselect={false}
      value={String(values.restnumbers)}
      data={RESTS.map((count) => ({
        value: String(count),
        label: count === ANY_REST ? t('outbound-routes.anyRest') : t('outbound-routes.digits', { count }),
      }))}
      onChange={(value) => value !== null && set('restnumbers', Number(value))}
      error={problems.restnumbers !== undefined}
    />
  );
  const trim = (
    <WholeNumber
      aria-label={t('outbound-routes.field.trimfrombegin')}
      w={68}
      value={values.trimfrombegin}
      onChange={(value) => set('trimfrombegin', value)}
      error={problems.trimfrombegin !== undefined}
    />
  );
  const prepend = (
    <TextInput
      aria-label={t('outbound-routes.field.prepend')}
      placeholder={t('outbound-routes.nothing')}
      autoComplete="off"
      w={130}
      value={values.prepend}
      onChange={({ currentTarget }) => set('prepend', currentTarget.value)}
      error={problems.prepend !== undefined}
    />
  );
  return (
    <Fieldset legend={t('outbound-routes.numbers')}>
      <Stack gap="sm">
        <Sentence problem={problems.numberbeginswith ?? problems.restnumbers}>
          <Trans i18nKey="outbound-routes.sentence.fits" components={{ begin, rest }} />
        </Sentence>
        <Text size="xs" c="dimmed">
          {t('outbound-routes.beginHint')}
        </Text>
        <Sentence problem={problems.trimfrombegin ?? problems.prepend}>
          <Trans i18nKey="outbound-routes.sentence.dials" components={{ trim, prepend }} />
        </Sentence>
      </Stack>
    </Fieldset>
  );
}
