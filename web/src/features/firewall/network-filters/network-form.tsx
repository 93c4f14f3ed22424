import {
  Checkbox,
  Group,
  NumberInput,
  Paper,
  Stack,
  Switch,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import type { FirewallCreateBody, FirewallRecord } from '@pbxcore/client';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { ChangedMeanwhile } from '../../../ui/changed-meanwhile.tsx';
import { Form } from '../../../ui/form.tsx';
import { useRecordForm } from '../../../ui/record-form.ts';
import { say } from '../../../ui/undo.tsx';
import { filtersChanged } from './allow-address.ts';
import { DeleteNetwork } from './delete-network.tsx';
import { type NetworkValues, SERVICES, valuesOf } from './network-values.ts';
import { useFilterUsers } from './use-filter-users.ts';
import { UsedBy } from './used-by.tsx';

export function NetworkForm({ record }: { readonly record: FirewallRecord }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const users = useFilterUsers();
  const isNew = record.id === '';
  const showAll = () => navigate({ to: '/networks', ignoreBlocker: true });
  const label = (name: keyof NetworkValues) => t(`network-filters.fields.${name}`);

  const { edited, values, set, problems, body, form } = useRecordForm({
    record,
    valuesOf,
    read: isNew ? undefined : () => api.firewall.getRecord(record.id),
    // Only changes are sent, so that data of another program in this filter stay.
    bodyOf: (changes) => changes,
    write: (sent) =>
      isNew ? api.firewall.create(sent as FirewallCreateBody) : api.firewall.patch(record.id, sent),
    async done() {
      await filtersChanged();
      say(t('network-filters.saved'));
      await showAll();
    },
    leaves: true,
  });

  return (
    <Stack maw={680}>
      <Form
        {...form}
        action={t('network-filters.save')}
        onCancel={() => void showAll()}
        beside={
          <ApiCall
            method={isNew ? 'POST' : 'PATCH'}
            path={isNew ? '/firewall' : `/firewall/${record.id}`}
            body={body}
          />
        }
      >
        <ChangedMeanwhile edited={edited} label={label} show={(_, value) => shown(value)} />
        <Group grow align="flex-start">
          <TextInput
            label={label('network')}
            placeholder="192.0.2.0"
            value={values.network}
            onChange={({ currentTarget }) => set('network', currentTarget.value.trim())}
            error={problems.network}
          />
          <NumberInput
            label={label('subnet')}
            description={t('network-filters.subnetHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            min={0}
            max={128}
            value={values.subnet}
            onChange={(value) => set('subnet', value)}
            error={problems.subnet}
          />
        </Group>
        <TextInput
          label={label('description')}
          value={values.description}
          onChange={({ currentTarget }) => set('description', currentTarget.value)}
          error={problems.description}
        />
        <Switch
          label={label('newer_block_ip')}
          description={t('network-filters.neverBlockedHint')}
          checked={values.newer_block_ip}
          onChange={({ currentTarget }) => set('newer_block_ip', currentTarget.checked)}
          error={problems.newer_block_ip}
        />
        <Switch
          label={label('local_network')}
          checked={values.local_network}
          onChange={({ currentTarget }) => set('local_network', currentTarget.checked)}
          error={problems.local_network}
        />
        <Textarea
          label={label('deny')}
          description={t('network-filters.denyHint')}
          autosize
          minRows={2}
          maxRows={10}
          value={values.deny}
          onChange={({ currentTarget }) => set('deny', currentTarget.value)}
          error={problems.deny}
        />
        <NumberInput
          label={label('priority')}
          description={t('network-filters.priorityHint')}
          value={values.priority}
          onChange={(value) => set('priority', value)}
          error={problems.priority}
          maw={320}
        />
        <Checkbox.Group
          label={label('currentRules')}
          description={t('network-filters.servicesHint')}
          value={SERVICES.filter((name) => values.currentRules[name])}
          onChange={(open) =>
            set(
              'currentRules',
              Object.fromEntries(
                SERVICES.map((name) => [name, open.includes(name)]),
              ) as NetworkValues['currentRules'],
            )
          }
          error={problems.currentRules}
        >
          <Group mt="xs">
            {SERVICES.map((name) => (
              <Checkbox key={name} value={name} label={name} />
            ))}
          </Group>
        </Checkbox.Group>
      </Form>
      {!isNew && (
        <Paper withBorder p="md" component="section" aria-label={t('network-filters.usedBy')}>
          <Group justify="space-between" align="flex-start">
            <div>
              <Title order={2} size="h5">
                {t('network-filters.usedBy')}
              </Title>
              <UsedBy users={users && (users.get(record.id) ?? [])} all />
              <Text size="xs" c="dimmed" mt="xs">
                {t('network-filters.usedByHint')}
              </Text>
            </div>
            <DeleteNetwork filter={record} onDeleted={showAll} />
          </Group>
        </Paper>
      )}
    </Stack>
  );
}

function shown(value: NetworkValues[keyof NetworkValues]): string {
  if (typeof value !== 'object') return String(value);
  return SERVICES.filter((name) => value[name]).join(', ');
}
