import { Button } from '@mantine/core';
import { ApiError } from '@pbxcore/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { offerUndo, say, sayFailed } from '../../../ui/undo.tsx';
import { type FlowList, flowChanged } from './flow-changed.ts';
import { InUse } from './in-use.tsx';
import type { User } from './users.tsx';

interface DeleteButtonProps {
  readonly name: string;
  readonly list: FlowList;
  /** Where it is used, asked for when the service refuses. */
  readonly users: () => Promise<readonly User[]>;
  /** Of what is dialled: everybody who leads there can be given another target in the same step. */
  readonly isTarget?: boolean;
  readonly remove: (
    replaceWith?: string,
  ) => Promise<{ readonly messages: { readonly warning: readonly string[] } }>;
  /** Stores it again as it was. */
  readonly restore: () => Promise<unknown>;
  /** What is being deleted is not asked for again. */
  readonly onLeaving: (isLeaving: boolean) => void;
}

/** Deletes at once and offers to take it back. What is used stays, and who uses it is shown. */
export function DeleteButton(props: DeleteButtonProps) {
  const { name, list, users, isTarget = false, remove, restore, onLeaving } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [used, setUsed] = useState<readonly User[]>();

  async function leave(replaceWith?: string): Promise<void> {
    onLeaving(true);
    const { messages } = await remove(replaceWith).catch((error: unknown) => {
      onLeaving(false);
      throw error;
    });
    for (const warning of messages.warning) say(warning);
    await navigate({ to: list, ignoreBlocker: true });
    await flowChanged();
  }

  async function removeNow() {
    setBusy(true);
    try {
      await leave();
      offerUndo(t('call-flow.deleted', { name }), async () => {
        await restore();
        await flowChanged();
      });
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) setUsed(await users().catch(() => []));
      else sayFailed(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button
        variant="default"
        c="var(--mantine-color-error)"
        loading={busy}
        onClick={() => void removeNow()}
      >
        {t('call-flow.delete')}
      </Button>
      {used && (
        <InUse
          name={name}
          users={used}
          onClose={() => setUsed(undefined)}
          {...(isTarget && {
            onReplace: async (target: string) => {
              await leave(target);
              say(t('call-flow.replaced', { name }));
            },
          })}
        />
      )}
    </>
  );
}
