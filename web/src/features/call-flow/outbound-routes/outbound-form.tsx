import { Fieldset, Select, SimpleGrid, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { OutboundRoute, OutboundRoutesCreateBody } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { ChangedMeanwhile } from '../../../ui/changed-meanwhile.tsx';
import { Form } from '../../../ui/form.tsx';
import { useRecordForm } from '../../../ui/record-form.ts';
import { say } from '../../../ui/undo.tsx';
import { flowChanged } from '../parts/flow-changed.ts';
import { HINT_BELOW, type Part } from '../parts/inputs.tsx';
import { keepWarnings } from '../parts/warnings.tsx';
import { CallerFields } from './caller-fields.tsx';
import { NumberFields } from './number-fields.tsx';
import { fieldsOf, type OutboundFields } from './outbound-fields.ts';

export type OutboundPart = Part<OutboundRoute, OutboundFields>;

export function OutboundForm({ route, isNew }: { readonly route: OutboundRoute; readonly isNew: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id } = route;
  const { edited, values, set, problems, body, form } = useRecordForm({
    record: route,
    valuesOf: fieldsOf,
    read: isNew ? undefined : () => api.outboundRoutes.getRecord(id),
    bodyOf: (changes) => changes,
    write: async (sent) =>
      keepWarnings(
        'outbound-routes',
        await (isNew
          ? api.outboundRoutes.create(sent as OutboundRoutesCreateBody)
          : api.outboundRoutes.patch(id, sent)),
      ),
    async done(stored) {
      queryClient.setQueryData(['outbound-routes', 'getRecord', stored.id], stored);
      await flowChanged();
      say(t('call-flow.saved'));
      if (isNew) await navigate({ to: '/outbound-routes/$id', params: { id: stored.id }, replace: true });
    },
  });
  const part: OutboundPart = { record: route, values, set, problems };
  return (
    <Form
      {...form}
      action={t(isNew ? 'call-flow.create' : 'call-flow.save')}
      onCancel={() => void navigate({ to: '/outbound-routes' })}
      beside={
        <ApiCall
          method={isNew ? 'POST' : 'PATCH'}
          path={isNew ? '/outbound-routes' : `/outbound-routes/${id}`}
          body={body}
        />
      }
    >
      <ChangedMeanwhile edited={edited} label={(name) => t(`outbound-routes.field.${name}`)} show={shown} />
      <Fieldset legend={t('outbound-routes.one')}>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label={t('outbound-routes.field.rulename')}
              required
              autoComplete="off"
              inputWrapperOrder={HINT_BELOW}
              value={values.rulename}
              onChange={({ currentTarget }) => set('rulename', currentTarget.value)}
              error={problems.rulename}
            />
            <Provider {...part} />
          </SimpleGrid>
          <Textarea
            label={t('outbound-routes.field.note')}
            autosize
            minRows={1}
            maxRows={6}
            value={values.note}
            onChange={({ currentTarget }) => set('note', currentTarget.value)}
            error={problems.note}
          />
          <Switch
            label={t('outbound-routes.inForce')}
            checked={!values.disabled}
            onChange={({ currentTarget }) => set('disabled', !currentTarget.checked)}
          />
        </Stack>
      </Fieldset>
      <NumberFields {...part} />
      <CallerFields {...part} />
    </Form>
  );
}

function Provider({ record, values, set, problems }: OutboundPart) {
  const { t } = useTranslation();
  const { data: providers = [] } = useQuery({
    queryKey: ['sip-providers', 'getList'],
    queryFn: async () => (await api.sipProviders.getList({ includeDisabled: true })).data,
  });
  const choices = providers.map(({ id, description }) => ({ value: id, label: description || id }));
  const { providerid } = values;
  if (providerid !== '' && !choices.some(({ value }) => value === providerid))
    choices.push({ value: providerid, label: record.providerid_represent || providerid });
  return (
    <Select
      label={t('outbound-routes.field.providerid')}
      required
      searchable
      allowDeselect={false}
      inputWrapperOrder={HINT_BELOW}
      value={providerid === '' ? null : providerid}
      data={choices}
      onChange={(value) => value && set('providerid', value)}
      error={problems.providerid}
    />
  );
}

function shown(_: keyof OutboundFields, value: OutboundFields[keyof OutboundFields]): string {
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  return value === '' ? '–' : String(value);
}
