import { Switch, TextInput } from '@mantine/core';
import type { ApiKey } from '@pbxcore/client';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { fieldErrors } from '../../../api/errors.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { ChangedMeanwhile } from '../../../ui/changed-meanwhile.tsx';
import { useEdited } from '../../../ui/edited.ts';
import { Form } from '../../../ui/form.tsx';
import { say } from '../../../ui/undo.tsx';
import { BouncerOptionFields } from './bouncer-option-fields.tsx';
import { ClientSelect } from './client-select.tsx';
import { BOUNCER_PATH, KEY_FIELDS, type KeyValues, patchOf, valuesOf } from './key-values.ts';
import { NetworkFilterSelect } from './network-filter-select.tsx';
import { PermissionMatrix } from './permission-matrix.tsx';

const NO_PROBLEMS = { fields: {} as Record<string, string>, rest: [] as string[] };

export function EditKey({ apiKey }: { readonly apiKey: ApiKey }) {
  const { t } = useTranslation();
  // Polls change the record all the time; only what can be edited is compared.
  const editable = JSON.stringify(valuesOf(apiKey));
  const edited = useEdited(useMemo(() => JSON.parse(editable) as KeyValues, [editable]));
  const { values, set, changes } = edited;
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const [busy, setBusy] = useState(false);
  const label = (name: keyof KeyValues) => t(`api-keys.fields.${name}`);

  async function submit() {
    setBusy(true);
    setProblems(NO_PROBLEMS);
    try {
      if (!edited.compare(valuesOf((await api.apiKeys.getRecord(apiKey.id)).data))) return;
      const { data, messages } = await api.apiKeys.patch(apiKey.id, patchOf(changes));
      edited.saved(valuesOf(data));
      await queryClient.invalidateQueries({ queryKey: ['api-keys'] });
      for (const warning of messages.warning) say(warning);
      say(t('api-keys.saved'));
    } catch (error) {
      setProblems(fieldErrors(error, KEY_FIELDS));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Form
      onSubmit={() => void submit()}
      busy={busy}
      isDirty={edited.isDirty}
      problems={problems.rest}
      action={t('api-keys.save')}
      beside={<ApiCall method="PATCH" path={`/api-keys/${apiKey.id}`} body={patchOf(changes)} />}
    >
      <ChangedMeanwhile edited={edited} label={label} show={(_, value) => shown(value)} />
      <TextInput
        label={t('api-keys.description')}
        value={values.description}
        onChange={({ currentTarget }) => set('description', currentTarget.value)}
        error={problems.fields.description}
      />
      <NetworkFilterSelect
        value={values.networkfilterid}
        onChange={(id) => set('networkfilterid', id)}
        error={problems.fields.networkfilterid}
      />
      <Switch
        label={t('api-keys.full')}
        description={t('api-keys.fullHint')}
        checked={values.full_permissions}
        onChange={({ currentTarget }) => set('full_permissions', currentTarget.checked)}
        error={problems.fields.full_permissions}
      />
      {!values.full_permissions && (
        <PermissionMatrix
          grants={values.allowed_paths}
          onChange={(grants) => set('allowed_paths', grants)}
          error={problems.fields.allowed_paths}
        />
      )}
      {(values.full_permissions || values.allowed_paths[BOUNCER_PATH] !== undefined) && (
        <>
          <ClientSelect
            value={values.client}
            onChange={(client) => set('client', client)}
            error={problems.fields.client}
          />
          <BouncerOptionFields
            options={values.bouncer_options}
            onChange={(options) => set('bouncer_options', options)}
            isSetByClient={values.client !== edited.latest.client}
            error={problems.fields.bouncer_options}
          />
        </>
      )}
    </Form>
  );
}

const shown = (value: KeyValues[keyof KeyValues]): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);
