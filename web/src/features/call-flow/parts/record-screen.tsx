import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isNotFound } from '../../../api/errors.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { useAddress } from '../../../ui/address.ts';
import { Failure } from '../../../ui/failure.tsx';
import { Page } from '../../../ui/page.tsx';
import type { FlowList } from './flow-changed.ts';
import { Warnings } from './warnings.tsx';

interface RecordScreenProps<Stored> {
  /** As in its URL. */
  readonly resource: string;
  readonly list: FlowList;
  readonly titles: { readonly one: string; readonly new: string };
  readonly read: {
    readonly getDefault: () => Promise<{ readonly data: Stored }>;
    readonly copy?: (id: string) => Promise<{ readonly data: Stored }>;
    readonly getRecord: (id: string) => Promise<{ readonly data: Stored }>;
  };
  readonly nameOf: (record: Stored) => string;
  readonly form: (record: Stored, isNew: boolean) => ReactNode;
  readonly actions: (record: Stored, onLeaving: (isLeaving: boolean) => void) => ReactNode;
}

/** The screen of one record of the call flow, stored or new. */
export function RecordScreen<Stored>(props: RecordScreenProps<Stored>) {
  const { id = '' } = useParams({ strict: false });
  return id === 'new' ? <New {...props} /> : <Known key={id} id={id} {...props} />;
}

function New<Stored>({ resource, titles, read, form }: RecordScreenProps<Stored>) {
  const origin = useAddress().get('copy');
  // Fetched once: if somebody else takes the number meanwhile, the field says so instead of changing.
  const { data, error, refetch } = useQuery({
    queryKey: [`${resource}-default`, origin],
    queryFn: async () => (await (origin && read.copy ? read.copy(origin) : read.getDefault())).data,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Page title={titles.new}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data ? form(data, true) : !error && <Waiting />}
    </Page>
  );
}

function Known<Stored>(props: RecordScreenProps<Stored> & { readonly id: string }) {
  const { id, resource, list, titles, read, nameOf, form, actions } = props;
  const { t } = useTranslation();
  const [isLeaving, setLeaving] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: [resource, 'getRecord', id],
    queryFn: async () => (await read.getRecord(id)).data,
    refetchInterval: useFallbackInterval(),
    enabled: !isLeaving,
  });
  if (isNotFound(error))
    return (
      <Page title={data ? nameOf(data) : titles.one}>
        <Text role="alert">{t(data ? 'call-flow.gone' : 'call-flow.notThere')}</Text>
        <Anchor renderRoot={(link) => <Link to={list} {...link} />}>{t('call-flow.backToList')}</Anchor>
      </Page>
    );
  return (
    <Page title={(data && nameOf(data)) || titles.one} actions={data && actions(data, setLeaving)}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      <Warnings resource={resource} id={id} />
      {data ? form(data, false) : !error && <Waiting />}
    </Page>
  );
}

function Waiting() {
  return (
    <Stack aria-busy="true">
      <Skeleton height={200} />
      <Skeleton height={280} />
    </Stack>
  );
}
