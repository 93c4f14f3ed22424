import { Button, Stack } from '@mantine/core';
import type { CallQueuesCreateBody, Queue } from '@pbxcore/client';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { DeleteButton } from '../parts/delete-button.tsx';
import { RecordScreen } from '../parts/record-screen.tsx';
import { keepersOf } from '../parts/users.tsx';
import { Board } from './board.tsx';
import { bodyOf, fieldsOf } from './queue-fields.ts';
import { QueueForm } from './queue-form.tsx';

export function QueueScreen() {
  const { t } = useTranslation();
  return (
    <RecordScreen
      resource="call-queues"
      list="/queues"
      titles={{ one: t('call-queues.one'), new: t('call-queues.new') }}
      read={api.callQueues}
      nameOf={({ name }) => name}
      form={(queue, isNew) => (
        <Stack>
          {!isNew && <Board id={queue.id} />}
          <QueueForm queue={queue} isNew={isNew} />
        </Stack>
      )}
      actions={(queue, onLeaving) => <Actions queue={queue} onLeaving={onLeaving} />}
    />
  );
}

interface ActionsProps {
  readonly queue: Queue;
  readonly onLeaving: (isLeaving: boolean) => void;
}

function Actions({ queue, onLeaving }: ActionsProps) {
  const { t } = useTranslation();
  const { id, represent, extension } = queue;
  return (
    <>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link to="/queues/$id" params={{ id: 'new' }} search={{ copy: id }} {...props} />
        )}
      >
        {t('call-flow.copy')}
      </Button>
      <DeleteButton
        name={represent}
        list="/queues"
        isTarget
        users={async () =>
          keepersOf((await api.extensions.getRecord(extension)).data.usedBy, { kind: 'call-queues', id })
        }
        remove={async (replaceWith) => {
          // Members join and leave while the queue is on the screen.
          const { data: kept } = await api.callQueues.getRecord(id);
          const query = replaceWith === undefined ? {} : { replaceWith };
          return { ...(await api.callQueues.delete(id, query)), kept };
        }}
        restore={async ({ kept }) => {
          const made = await api.callQueues.create({
            ...kept,
            ...bodyOf(fieldsOf(kept)),
          } as CallQueuesCreateBody);
          for (const { extension, state, reason } of kept.members)
            if (state !== 'in') await api.callQueues.setMemberState(id, { extension, state, reason });
          return made;
        }}
        onLeaving={onLeaving}
      />
    </>
  );
}
