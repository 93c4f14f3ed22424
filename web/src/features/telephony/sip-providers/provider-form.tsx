import type { SipProvider, SipProvidersCreateBody } from '@pbxcore/client';
import { useNavigate } from '@tanstack/react-router';
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
import { AdvancedFields } from './advanced-fields.tsx';
import { ConnectionFields } from './connection-fields.tsx';
import { bodyOf, fieldsOf, PROVIDER_FIELDS, type ProviderFields } from './provider-fields.ts';
import type { PartProps } from './provider-inputs.tsx';
import { providersChanged } from './provider-switch.tsx';

const NO_PROBLEMS = { fields: {} as Record<string, string>, rest: [] as string[] };

interface ProviderFormProps {
  readonly provider: SipProvider;
  /** Stored: what was changed can be tried now. */
  readonly onSaved: (id: string) => void;
}

export function ProviderForm({ provider, onSaved }: ProviderFormProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const isNew = provider.id === '';
  const edited = useEdited(useMemo(() => fieldsOf(provider), [provider]));
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState(NO_PROBLEMS);
  const { values } = edited;
  const path = isNew ? '/sip-providers' : `/sip-providers/${provider.id}`;
  const body = bodyOf(isNew ? values : edited.changes);

  async function create() {
    const { data, messages } = await api.sipProviders.create(body as SipProvidersCreateBody);
    await providersChanged();
    tell(t('sip-providers.created', { description: data.description }), messages.warning);
    onSaved(data.id);
    await navigate({ to: '/providers/$id', params: { id: data.id }, replace: true });
  }

  async function change() {
    const { data: stored } = await api.sipProviders.getRecord(provider.id);
    if (!edited.compare(fieldsOf(stored))) return;
    const { data, messages } = await api.sipProviders.patch(provider.id, body);
    edited.saved(fieldsOf(data));
    queryClient.setQueryData(['sip-providers', 'getRecord', provider.id], data);
    await providersChanged();
    tell(t('sip-providers.saved'), messages.warning);
    onSaved(provider.id);
  }

  async function save() {
    // What somebody else changed is on the screen, and waits for a decision.
    if (edited.meanwhile.length > 0) return;
    setBusy(true);
    setProblems(NO_PROBLEMS);
    try {
      await (isNew ? create() : change());
    } catch (error) {
      setProblems(fieldErrors(error, PROVIDER_FIELDS));
    } finally {
      setBusy(false);
    }
  }

  const part: PartProps = { provider, values, set: edited.set, problems: problems.fields };
  return (
    <Form
      onSubmit={() => void save()}
      busy={busy}
      isDirty={edited.isDirty}
      problems={problems.rest}
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

/** A call that is copied into a script says where the password goes, and not what it is. */
const hidden = ({ secret }: ProviderFields, body: object) =>
  'secret' in body && secret !== '' ? { secret: '…' } : {};

function shown(name: keyof ProviderFields, value: ProviderFields[keyof ProviderFields]): string {
  if (name === 'secret') return '•'.repeat(8);
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return text === '' ? '–' : text;
}

function tell(done: string, warnings: readonly string[]): void {
  say(done);
  for (const warning of warnings) say(warning);
}
