import { Fieldset, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import type { IncomingRoute, IncomingRoutesCreateBody } from '@pbxcore/client';
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
import type { Part } from '../parts/inputs.tsx';
import { keepWarnings } from '../parts/warnings.tsx';
import { FromFields } from './from-fields.tsx';
import { DEFAULT_ROUTE, fieldsOf, type RouteFields } from './route-fields.ts';
import { ToFields } from './to-fields.tsx';

export type RoutePart = Part<IncomingRoute, RouteFields>;

export function RouteForm({ route, isNew }: { readonly route: IncomingRoute; readonly isNew: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id } = route;
  const isDefault = id === DEFAULT_ROUTE;
  const { edited, values, set, problems, body, form } = useRecordForm({
    record: route,
    valuesOf: fieldsOf,
    read: isNew ? undefined : () => api.incomingRoutes.getRecord(id),
    bodyOf: (changes) => changes,
    write: async (sent) =>
      keepWarnings(
        'incoming-routes',
        await (isNew
          ? api.incomingRoutes.create(sent as IncomingRoutesCreateBody)
          : api.incomingRoutes.patch(id, sent)),
      ),
    async done(stored) {
      queryClient.setQueryData(['incoming-routes', 'getRecord', stored.id], stored);
      await flowChanged();
      say(t('call-flow.saved'));
      if (isNew) await navigate({ to: '/incoming-routes/$id', params: { id: stored.id }, replace: true });
    },
  });
  const part: RoutePart = { record: route, values, set, problems };
  return (
    <Form
      {...form}
      action={t(isNew ? 'call-flow.create' : 'call-flow.save')}
      onCancel={() => void navigate({ to: '/incoming-routes' })}
      beside={
        <ApiCall
          method={isNew ? 'POST' : 'PATCH'}
          path={isNew ? '/incoming-routes' : `/incoming-routes/${id}`}
          body={body}
        />
      }
    >
      <ChangedMeanwhile edited={edited} label={(name) => t(`incoming-routes.field.${name}`)} show={shown} />
      {!isDefault && <FromFields {...part} />}
      <ToFields {...part} isDefault={isDefault} />
      <Fieldset legend={t('incoming-routes.about')}>
        <Stack>
          {!isDefault && (
            <TextInput
              label={t('incoming-routes.field.rulename')}
              autoComplete="off"
              value={values.rulename}
              onChange={({ currentTarget }) => set('rulename', currentTarget.value)}
              error={problems.rulename}
            />
          )}
          <Textarea
            label={t('incoming-routes.field.note')}
            autosize
            minRows={1}
            maxRows={6}
            value={values.note}
            onChange={({ currentTarget }) => set('note', currentTarget.value)}
            error={problems.note}
          />
          {!isDefault && (
            <Switch
              label={t('incoming-routes.inForce')}
              checked={!values.disabled}
              onChange={({ currentTarget }) => set('disabled', !currentTarget.checked)}
            />
          )}
        </Stack>
      </Fieldset>
    </Form>
  );
}

function shown(_: keyof RouteFields, value: RouteFields[keyof RouteFields]): string {
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return text === '' ? '–' : text;
}
