import { Anchor, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SipProvider } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { isNotFound } from '../../../api/errors.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { needTexts } from '../../../texts/i18n.ts';
import { useAddress } from '../../../ui/address.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Page } from '../../../ui/page.tsx';
import { sayFailed } from '../../../ui/undo.tsx';
import { InUse } from '../../call-flow/parts/in-use.tsx';
import type { User } from '../../call-flow/parts/users.tsx';
import { ProviderForm } from './provider-form.tsx';
import { ProviderNow } from './provider-now.tsx';
import { routesOf } from './provider-routes.ts';
import { useProviderStatuses } from './provider-state.tsx';
import { ProviderSwitch, providersChanged } from './provider-switch.tsx';
import { ProviderTrial } from './provider-trial.tsx';

/** When each was last saved here: a new one is tried on the next screen. */
const savedAt = new Map<string, number>();

export function ProviderScreen() {
  const { id = '' } = useParams({ strict: false });
  return id === 'new' ? <NewProvider /> : <StoredProvider key={id} id={id} />;
}

function NewProvider() {
  const { t } = useTranslation();
  const origin = useAddress().get('copy');
  const { data, error, refetch } = useQuery({
    queryKey: ['sip-providers-default', origin],
    queryFn: async () =>
      (await (origin ? api.sipProviders.copy(origin) : api.sipProviders.getDefault())).data,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Page title={t('sip-providers.new')}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data ? (
        <ProviderForm provider={data} onSaved={(id) => savedAt.set(id, Date.now())} />
      ) : (
        !error && <Waiting />
      )}
    </Page>
  );
}

function StoredProvider({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const [isLeaving, setLeaving] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['sip-providers', 'getRecord', id],
    queryFn: async () => (await api.sipProviders.getRecord(id)).data,
    refetchInterval: useFallbackInterval(),
    // Not refetched while it is being deleted, though it changes.
    enabled: !isLeaving,
  });
  if (isNotFound(error)) return <NotThere description={data?.description} />;
  return (
    <Page
      title={data?.description ?? t('sip-providers.one')}
      actions={data && <Actions provider={data} onLeaving={setLeaving} />}
    >
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data && !isLeaving ? <Whole provider={data} /> : !error && <Waiting />}
    </Page>
  );
}

function Whole({ provider }: { readonly provider: SipProvider }) {
  const { id } = provider;
  const { data: statuses } = useProviderStatuses();
  const [tried, setTried] = useState(savedAt.get(id));
  const status = statuses?.sip[id];
  savedAt.delete(id);
  return (
    <Stack gap="lg">
      {tried !== undefined && <ProviderTrial key={tried} id={id} savedAt={tried} />}
      {status && <ProviderNow status={status} />}
      <ProviderForm provider={provider} onSaved={() => setTried(Date.now())} />
    </Stack>
  );
}

interface ActionsProps {
  readonly provider: SipProvider;
  readonly onLeaving: (isLeaving: boolean) => void;
}

function Actions({ provider, onLeaving }: ActionsProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [opened, confirm] = useDisclosure(false);
  const [busy, setBusy] = useState(false);
  const [routes, setRoutes] = useState<readonly User[]>([]);
  const { id, description, disabled } = provider;

  /** What cannot be deleted does not require typing a word first. */
  async function ask() {
    setBusy(true);
    try {
      const [found] = await Promise.all([routesOf(id), needTexts('callFlow')]);
      if (found.length > 0) setRoutes(found);
      else confirm.open();
    } catch (error) {
      sayFailed(error);
    } finally {
      setBusy(false);
    }
  }

  async function remove() {
    onLeaving(true);
    try {
      await api.sipProviders.delete(id);
    } catch (error) {
      onLeaving(false);
      throw error;
    }
    await navigate({ to: '/providers' });
    await providersChanged();
  }

  return (
    <>
      <ProviderSwitch id={id} description={description} disabled={disabled} withWord />
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link to="/providers/$id" params={{ id: 'new' }} search={{ copy: id }} {...props} />
        )}
      >
        {t('sip-providers.copy')}
      </Button>
      <Button variant="default" c="var(--mantine-color-error)" loading={busy} onClick={() => void ask()}>
        {t('sip-providers.delete')}
      </Button>
      {/* Its secret is never shown, so nobody could restore it. */}
      <Confirm
        opened={opened}
        onClose={confirm.close}
        title={t('sip-providers.deleteTitle', { description })}
        word={provider.host}
        action={t('sip-providers.delete')}
        onConfirm={remove}
      >
        {t('sip-providers.deleteHint')}
      </Confirm>
      {routes.length > 0 && <InUse name={description} users={routes} onClose={() => setRoutes([])} />}
    </>
  );
}

function Waiting() {
  return (
    <Stack aria-busy="true">
      <Skeleton height={180} />
      <Skeleton height={360} />
    </Stack>
  );
}

function NotThere({ description }: { readonly description: string | undefined }) {
  const { t } = useTranslation();
  return (
    <Page title={description ?? t('sip-providers.one')}>
      <Text role="alert">{t(description ? 'sip-providers.gone' : 'sip-providers.notThere')}</Text>
      <Anchor renderRoot={(props) => <Link to="/providers" {...props} />}>
        {t('sip-providers.backToList')}
      </Anchor>
    </Page>
  );
}
