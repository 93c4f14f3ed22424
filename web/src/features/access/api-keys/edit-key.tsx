import { Switch, TextInput } from '@mantine/core';
import type { ApiKey } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { ChangedMeanwhile } from '../../../ui/changed-meanwhile.tsx';
import { Form } from '../../../ui/form.tsx';
import { useRecordForm } from '../../../ui/record-form.ts';
import { say } from '../../../ui/undo.tsx';
import { BouncerOptionFields } from './bouncer-option-fields.tsx';
import { ClientSelect } from './client-select.tsx';
import { BOUNCER_PATH, type KeyValues, patchOf, valuesOf } from './key-values.ts';
import { NetworkFilterSelect } from './network-filter-select.tsx';
import { PermissionMatrix } from './permission-matrix.tsx';

export function EditKey({ apiKey }: { readonly apiKey: ApiKey }) {
  const { t } = useTranslation();
  const { edited, values, set, problems, body, form } = useRecordForm({
    record: apiKey,
    valuesOf,
    read: () => api.apiKeys.getRecord(apiKey.id),
    bodyOf: patchOf,
    write: (sent) => api.apiKeys.patch(apiKey.id, sent),
    async done() {
      await queryClient.invalidateQueries({ queryKey: ['api-keys'] });
      say(t('api-keys.saved'));
    },
  });
  const label = (name: keyof KeyValues) => t(`api-keys.fields.${name}`);

  return (
    <Form
      {...form}
      action={t('api-keys.save')}
      beside={<ApiCall method="PATCH" path={`/api-keys/${apiKey.id}`} body={body} />}
    >
      <ChangedMeanwhile edited={edited} label={label} show={(_, value) => shown(value)} />
      <TextInput
        label={t('api-keys.description')}
        value={values.description}
        onChange={({ currentTarget }) => set('description', currentTarget.value)}
        error={problems.description}
      />
      <NetworkFilterSelect
        value={values.networkfilterid}
        onChange={(id) => set('networkfilterid', id)}
        error={problems.networkfilterid}
      />
      <Switch
        label={t('api-keys.full')}
        description={t('api-keys.fullHint')}
        checked={values.full_permissions}
        onChange={({ currentTarget }) => set('full_permissions', currentTarget.checked)}
        error={problems.full_permissions}
      />
      {!values.full_permissions && (
        <PermissionMatrix
          grants={values.allowed_paths}
          onChange={(grants) => set('allowed_paths', grants)}
          error={problems.allowed_paths}
        />
      )}
      {(values.full_permissions || values.allowed_paths[BOUNCER_PATH] !== undefined) && (
        <>
          <ClientSelect
            value={values.client}
            onChange={(client) => set('client', client)}
            error={problems.client}
          />
          <BouncerOptionFields
            options={values.bouncer_options}
            onChange={(options) => set('bouncer_options', options)}
            isSetByClient={values.client !== edited.latest.client}
            error={problems.bouncer_options}
          />
        </>
      )}
    </Form>
  );
}

const shown = (value: KeyValues[keyof KeyValues]): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);
