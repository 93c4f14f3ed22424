import { Fieldset, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import type { CallQueuesCreateBody, Queue } from '@pbxcore/client';
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
import { OwnNumber } from '../parts/own-number.tsx';
import { keepWarnings } from '../parts/warnings.tsx';
import { LeavingFields } from './leaving-fields.tsx';
import { MemberFields } from './member-fields.tsx';
import { bodyOf, fieldsOf, type QueueFields } from './queue-fields.ts';
import { WaitingFields } from './waiting-fields.tsx';

export type QueuePart = Part<Queue, QueueFields>;

export function QueueForm({ queue, isNew }: { readonly queue: Queue; readonly isNew: boolean }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id } = queue;
  const { edited, values, set, problems, body, form } = useRecordForm({
    record: queue,
    valuesOf: fieldsOf,
    read: isNew ? undefined : () => api.callQueues.getRecord(id),
    bodyOf,
    write: async (sent) =>
      keepWarnings(
        'call-queues',
        // With the proposed id, so that sending it twice creates it once.
        await (isNew
          ? api.callQueues.create({ ...sent, id } as CallQueuesCreateBody)
          : api.callQueues.patch(id, sent)),
      ),
    async done(stored) {
      queryClient.setQueryData(['call-queues', 'getRecord', stored.id], stored);
      await flowChanged();
      say(t('call-flow.saved'));
      if (isNew) await navigate({ to: '/queues/$id', params: { id: stored.id }, replace: true });
    },
  });
  const part: QueuePart = { record: queue, values, set, problems };
  return (
    <Form
      {...form}
      action={t(isNew ? 'call-flow.create' : 'call-flow.save')}
      onCancel={() => void navigate({ to: '/queues' })}
      beside={
        <ApiCall
          method={isNew ? 'POST' : 'PATCH'}
          path={isNew ? '/call-queues' : `/call-queues/${id}`}
          body={body}
        />
      }
    >
      <ChangedMeanwhile edited={edited} label={(name) => t(`call-queues.field.${name}`)} show={shown} />
      <Fieldset legend={t('call-queues.one')}>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label={t('call-queues.field.name')}
              required
              autoComplete="off"
              value={values.name}
              onChange={({ currentTarget }) => set('name', currentTarget.value)}
              error={problems.name}
            />
            <OwnNumber
              value={values.extension}
              stored={isNew ? '' : queue.extension}
              onChange={(number) => set('extension', number)}
              error={problems.extension}
            />
          </SimpleGrid>
          <Textarea
            label={t('call-queues.field.description')}
            autosize
            minRows={1}
            maxRows={5}
            value={values.description}
            onChange={({ currentTarget }) => set('description', currentTarget.value)}
            error={problems.description}
          />
        </Stack>
      </Fieldset>
      <MemberFields {...part} />
      <WaitingFields {...part} />
      <LeavingFields {...part} />
    </Form>
  );
}

function shown(_: keyof QueueFields, value: QueueFields[keyof QueueFields]): string {
  if (typeof value === 'boolean') return value ? '✓' : '✗';
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return text === '' ? '–' : text;
}
