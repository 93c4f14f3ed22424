import { Fieldset, Select, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { HINT_BELOW } from '../parts/inputs.tsx';
import { ANY_PROVIDER } from './route-fields.ts';
import type { RoutePart } from './route-form.tsx';

const MATCHES = ['exact', 'ends'] as const;

/** Which calls a route accepts. */
export function FromFields({ record, values, set, problems }: RoutePart) {
  const { t } = useTranslation();
  const { data: providers = [] } = useQuery({
    queryKey: ['sip-providers', 'getList'],
    queryFn: async () => (await api.sipProviders.getList({ includeDisabled: true })).data,
  });
  const choices = [
    { value: ANY_PROVIDER, label: t('incoming-routes.anyProvider') },
    ...providers.map(({ id, description }) => ({ value: id, label: description || id })),
  ];
  if (!choices.some(({ value }) => value === values.providerid))
    choices.push({ value: values.providerid, label: record.providerid_represent || values.providerid });
  return (
    <Fieldset legend={t('incoming-routes.which')}>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TextInput
            label={t('incoming-routes.field.number')}
            inputWrapperOrder={HINT_BELOW}
            description={t('incoming-routes.hint.number')}
            placeholder={t('incoming-routes.anyNumber')}
            autoComplete="off"
            value={values.number}
            onChange={({ currentTarget }) => set('number', currentTarget.value)}
            error={problems.number}
          />
          <Select
            label={t('incoming-routes.field.match')}
            inputWrapperOrder={HINT_BELOW}
            allowDeselect={false}
            value={values.match}
            data={MATCHES.map((value) => ({ value, label: t(`incoming-routes.match.${value}`) }))}
            onChange={(value) => value && set('match', value as (typeof MATCHES)[number])}
            error={problems.match}
          />
          <Select
            label={t('incoming-routes.field.providerid')}
            inputWrapperOrder={HINT_BELOW}
            searchable
            allowDeselect={false}
            value={values.providerid}
            data={choices}
            onChange={(value) => value && set('providerid', value)}
            error={problems.providerid}
          />
        </SimpleGrid>
        <TagsInput
          label={t('incoming-routes.field.callers')}
          inputWrapperOrder={HINT_BELOW}
          description={t('incoming-routes.hint.callers')}
          placeholder={values.callers.length === 0 ? t('incoming-routes.everybody') : ''}
          data={['anonymous']}
          renderOption={() => t('incoming-routes.anonymous')}
          value={[...values.callers]}
          onChange={(callers) => set('callers', callers)}
          error={problems.callers}
        />
      </Stack>
    </Fieldset>
  );
}
