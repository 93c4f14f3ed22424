import { Anchor, Button, Grid, Skeleton, Stack, Text } from '@mantine/core';
import type { Employee } from '@pbxcore/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { isNotFound } from '../../../api/errors.ts';
import { useFallbackInterval } from '../../../api/live.ts';
import { Failure } from '../../../ui/failure.tsx';
import { Page } from '../../../ui/page.tsx';
import { EmployeeDevices } from './employee-devices.tsx';
import { EmployeeForm } from './employee-form.tsx';
import { EmployeeStatus, useStatuses } from './employee-status.tsx';
import { useEmployeeRemoval } from './use-employee-removal.tsx';

export function EmployeeScreen() {
  const { id = '' } = useParams({ strict: false });
  return id === 'new' ? <NewEmployee /> : <StoredEmployee key={id} id={id} />;
}

function NewEmployee() {
  const { t } = useTranslation();
  // Fetched once: if somebody else takes the number meanwhile, the field says so instead of changing.
  const { data, error, refetch } = useQuery({
    queryKey: ['employees-default'],
    queryFn: async () => (await api.employees.getDefault()).data,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Page title={t('employees.new')}>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data ? <EmployeeForm employee={data} /> : !error && <Waiting />}
    </Page>
  );
}

function StoredEmployee({ id }: { readonly id: string }) {
  const { t } = useTranslation();
  const [isLeaving, setLeaving] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['employees', 'getRecord', id],
    queryFn: async () => (await api.employees.getRecord(id)).data,
    refetchInterval: useFallbackInterval(),
    // Not refetched while it is being deleted, though the record changes.
    enabled: !isLeaving,
  });
  if (isNotFound(error)) return data ? <Gone employee={data} /> : <NotThere />;
  return (
    <Page
      title={data?.user_username ?? t('employees.one')}
      actions={data && <DeleteButton id={id} onLeaving={setLeaving} />}
    >
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data ? <Whole employee={data} /> : !error && <Waiting />}
    </Page>
  );
}

function Whole({ employee }: { readonly employee: Employee }) {
  const { data: statuses } = useStatuses();
  const status = statuses?.[employee.number];
  return (
    <Stack>
      <div role="status">{statuses && <EmployeeStatus status={status} />}</div>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <EmployeeForm employee={employee} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <EmployeeDevices status={status} />
        </Grid.Col>
      </Grid>
    </Stack>
  );
}

interface DeleteButtonProps {
  readonly id: string;
  readonly onLeaving: (isLeaving: boolean) => void;
}

function DeleteButton({ id, onLeaving }: DeleteButtonProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { busy, remove, dialog } = useEmployeeRemoval({
    onLeaving,
    done: () => navigate({ to: '/employees', ignoreBlocker: true }),
  });
  return (
    <>
      <Button variant="default" c="var(--mantine-color-error)" loading={busy} onClick={() => remove([id])}>
        {t('employees.delete')}
      </Button>
      {dialog}
    </>
  );
}

function Waiting() {
  return (
    <Stack aria-busy="true">
      <Skeleton height={220} />
      <Skeleton height={260} />
      <Skeleton height={180} />
    </Stack>
  );
}

function BackToList() {
  const { t } = useTranslation();
  return (
    <Anchor renderRoot={(props) => <Link to="/employees" {...props} />}>{t('employees.backToList')}</Anchor>
  );
}

/** Somebody else deleted the record that is on the screen. */
function Gone({ employee }: { readonly employee: Employee }) {
  const { t } = useTranslation();
  return (
    <Page title={employee.user_username}>
      <Text role="alert">
        {t('employees.gone', { number: employee.number, name: employee.user_username })}
      </Text>
      <BackToList />
    </Page>
  );
}

function NotThere() {
  const { t } = useTranslation();
  return (
    <Page title={t('employees.one')}>
      <Text role="alert">{t('employees.notThere')}</Text>
      <BackToList />
    </Page>
  );
}
