import { Alert, Radio, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { ApiKeysCreateBody, CreatedApiKey } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { useAddress } from '../../../ui/address.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Form } from '../../../ui/form.tsx';
import { Page } from '../../../ui/page.tsx';
import { useSending } from '../../../ui/sending.ts';
import { say } from '../../../ui/undo.tsx';
import { ClientSelect } from './client-select.tsx';
import { BOUNCER_PATH, type ClientName, type Grants, KEY_FIELDS, type PresetId } from './key-values.ts';
import { MadeKey } from './made-key.tsx';
import { NetworkFilterSelect } from './network-filter-select.tsx';
import { PermissionMatrix } from './permission-matrix.tsx';

const OWN = 'own';

/** A key for a program: what it may do, from where, and then the key itself, shown once. */
export function NewKey() {
  const { t } = useTranslation();
  const [made, setMade] = useState<CreatedApiKey>();
  return (
    <Page title={t(made ? 'api-keys.madeTitle' : 'api-keys.newTitle')}>
      {made ? <MadeKey made={made} /> : <Fields onMade={setMade} />}
    </Page>
  );
}

function Fields({ onMade }: { readonly onMade: (made: CreatedApiKey) => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { get, set } = useAddress();
  const { data: presets, error } = useQuery({
    queryKey: ['api-keys', 'getPresets'],
    queryFn: async () => (await api.apiKeys.getPresets()).data,
  });
  const [description, setDescription] = useState('');
  const [grants, setGrants] = useState<Grants>({});
  const [isFull, setFull] = useState(false);
  const [filter, setFilter] = useState('none');
  const [client, setClient] = useState<ClientName>('');
  const { busy, problems, send } = useSending(KEY_FIELDS);
  const isDirty = description !== '' || isFull || Object.keys(grants).length > 0 || filter !== 'none';
  const preset = presets?.find(({ id }) => id === get('preset'));
  const allowed = preset?.allowed_paths ?? grants;
  const isBouncer = !isFull && allowed[BOUNCER_PATH] !== undefined;
  const body: ApiKeysCreateBody = {
    description,
    networkfilterid: filter,
    ...(preset
      ? { preset: preset.id as PresetId }
      : isFull
        ? { full_permissions: true }
        : { allowed_paths: grants }),
    ...(isBouncer && client !== '' && { client }),
  };

  const submit = () =>
    send(async () => {
      const { data, messages } = await api.apiKeys.create(body);
      for (const warning of messages.warning) say(warning);
      onMade(data);
      void queryClient.invalidateQueries({ queryKey: ['api-keys'] });
    });

  return (
    <Stack maw={720}>
      {error && <Failure error={error} />}
      <Form
        onSubmit={() => void submit()}
        busy={busy}
        isDirty={isDirty}
        problems={problems.rest}
        action={t('api-keys.create')}
        onCancel={() => void navigate({ to: '/api-keys' })}
        beside={<ApiCall method="POST" path="/api-keys" body={body} />}
      >
        <TextInput
          label={t('api-keys.description')}
          description={t('api-keys.descriptionHint')}
          value={description}
          onChange={({ currentTarget }) => setDescription(currentTarget.value)}
          error={problems.fields.description}
        />
        <Radio.Group
          label={t('api-keys.purpose')}
          value={preset?.id ?? OWN}
          onChange={(id) => set({ preset: id === OWN ? '' : id }, { replace: true })}
          error={problems.fields.preset}
        >
          <Stack gap="xs" mt="xs">
            {presets?.map(({ id }) => (
              <Radio
                key={id}
                value={id}
                label={t(`api-keys.presets.${id}`)}
                description={t(`api-keys.presetHints.${id}`)}
              />
            ))}
            <Radio
              value={OWN}
              label={t('api-keys.presets.own')}
              description={t('api-keys.presetHints.own')}
            />
          </Stack>
        </Radio.Group>
        {!preset && (
          <>
            <Switch
              label={t('api-keys.full')}
              description={t('api-keys.fullHint')}
              checked={isFull}
              onChange={({ currentTarget }) => setFull(currentTarget.checked)}
              error={problems.fields.full_permissions}
            />
            {!isFull && (
              <PermissionMatrix grants={grants} onChange={setGrants} error={problems.fields.allowed_paths} />
            )}
            {!isFull && Object.keys(grants).length === 0 && (
              <Text size="sm" role="status">
                {t('api-keys.nothingAllowed')}
              </Text>
            )}
          </>
        )}
        <NetworkFilterSelect
          value={filter}
          onChange={setFilter}
          error={problems.fields.networkfilterid}
          isSuggested={preset?.suggests.networkfilter ?? false}
        />
        {isBouncer && (
          <>
            <ClientSelect value={client} onChange={setClient} error={problems.fields.client} />
            <Alert variant="default">
              <Text size="sm">{t('api-keys.bouncerWarning')}</Text>
            </Alert>
          </>
        )}
      </Form>
    </Stack>
  );
}
