import type { SipProvider, SipProvidersCreateBody } from '@pbxcore/client';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { ChangedMeanwhile } from '../../../ui/changed-meanwhile.tsx';
import { Form } from '../../../ui/form.tsx';
import { useRecordForm } from '../../../ui/record-form.ts';
import { say } from '../../../ui/undo.tsx';
import { AdvancedFields } from './advanced-fields.tsx';
import { ConnectionFields } from './connection-fields.tsx';
import { bodyOf, fieldsOf, type ProviderFields } from './provider-fields.ts';
import type { PartProps } from './provider-inputs.tsx';
import { providersChanged } from './provider-switch.tsx';

interface ProviderFormProps {
  readonly provider: SipProvider;
  /** Called once stored: the change can be tried now. */
  readonly onSaved: (id: string) => void;
}

export function ProviderForm({ provider, onSaved }: ProviderFormProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isNew = provider.id === '';
  const { edited, values, set, problems, body, form } = useRecordForm({
    record: provider,
    valuesOf: fieldsOf,
    read: isNew ? undefined : () => api.sipProviders.getRecord(provider.id),
    bodyOf,
    write: (sent) =>
      isNew
        ? api.sipProviders.create(sent as SipProvidersCreateBody)
        : api.sipProviders.patch(provider.id, sent),
    async done(stored) {
      queryClient.setQueryData(['sip-providers', 'getRecord', stored.id], stored);
      await providersChanged();
      say(isNew ? t('sip-providers.created', { description: stored.description }) : t('sip-providers.saved'));
      onSaved(stored.id);
      if (isNew) await navigate({ to: '/providers/$id', params: { id: stored.id }, replace: true });
    },
  });
  const path = isNew ? '/sip-providers' : `/sip-providers/${provider.id}`;
  const part: PartProps = { provider, values, set, problems };
  return (
    <Form
      {...form}
      action={t(isNew ? 'sip-providers.create' : 'sip-providers.save')}
      onCancel={() => void navigate({ to: '/providers' })}
      beside={
        <ApiCall method={isNew ? 'POST' : 'PATCH'} path={path} body={{ ...body, ...hidden(values, body) }} />
      }
    >
      <ChangedMeanwhile edited={edited} label={(name) => t(`sip-providers.field.${name}`)} show={shown} />
      <ConnectionFields {...part} />
      <AdvancedFields {...part} />
    </Form>
  );
}

/** A call copied into a script shows where the password goes, but not its value. */
const hidden = ({ secret }: ProviderFields, body: object) =>
  'secret' in body && secret !== '' ? { secret: '…' } : {};

function shown(name: keyof ProviderFields, value: ProviderFields[keyof ProviderFields]): string {
  if (name === 'secret') return '•'.repeat(8);
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return text === '' ? '–' : text;
}
