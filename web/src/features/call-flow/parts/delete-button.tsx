import { Button, Text } from '@mantine/core';
import { ApiError } from '@pbxcore/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Confirm } from '../../../ui/confirm.tsx';
import { offerUndo, say, sayFailed, warn } from '../../../ui/undo.tsx';
import { type FlowList, flowChanged } from './flow-changed.ts';
import { InUse } from './in-use.tsx';
import type { User } from './users.tsx';

/** The service's messages about a change. */
export interface Told {
  readonly messages: { readonly warning: readonly string[] };
}

interface DeleteButtonProps<Removed extends Told> {
  readonly name: string;
  readonly list: FlowList;
  /** Records that prevent the removal; read if the service refuses. */
  readonly users: () => Promise<readonly User[]>;
  /** It can be dialled: all references to it can get another target in the same step. */
  readonly isTarget?: boolean;
  readonly remove: (replaceWith?: string) => Promise<Removed>;
  /** Stores it again, from what `remove` kept. */
  readonly restore: (removed: Removed) => Promise<Told>;
  /** Why it could not be restored completely: it asks before deleting, and offers no undo. */
  readonly lost?: string;
  /** It is not refetched while it is being deleted. */
  readonly onLeaving: (isLeaving: boolean) => void;
}

/** Deletes at once and offers an undo, or asks before. What is in use stays, and its users are shown. */
export function DeleteButton<Removed extends Told>(props: DeleteButtonProps<Removed>) {
  const { name, list, users, isTarget = false, remove, restore, lost, onLeaving } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);
  const [used, setUsed] = useState<readonly User[]>();

  async function leave(replaceWith?: string): Promise<Removed> {
    onLeaving(true);
    const removed = await remove(replaceWith).catch((error: unknown) => {
      onLeaving(false);
      throw error;
    });
    await navigate({ to: list, ignoreBlocker: true });
    await flowChanged();
    return removed;
  }

  async function removeNow() {
    setBusy(true);
    try {
      const removed = await leave();
      const { warning: warnings } = removed.messages;
      const done = t('call-flow.deleted', { name });
      if (lost !== undefined) {
        say(done);
        for (const warning of warnings) warn(warning);
      } else
        offerUndo(
          done,
          async () => {
            const { messages } = await restore(removed);
            for (const warning of messages.warning) warn(warning);
            await flowChanged();
          },
          warnings,
        );
    } catch (error) {
      const keepers = error instanceof ApiError && error.status === 409 ? await users().catch(() => []) : [];
      // Without such records, the service's message says more than an empty list.
      if (keepers.length > 0) setUsed(keepers);
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
        onClick={() => (lost === undefined ? void removeNow() : setAsking(true))}
      >
        {t('call-flow.delete')}
      </Button>
      {lost !== undefined && (
        <Confirm
          opened={asking}
          onClose={() => setAsking(false)}
          title={t('call-flow.deleteTitle', { name })}
          action={t('call-flow.delete')}
          onConfirm={removeNow}
        >
          <Text size="sm">{lost}</Text>
        </Confirm>
      )}
      {used && (
        <InUse
          name={name}
          users={used}
          onClose={() => setUsed(undefined)}
          {...(isTarget && {
            onReplace: async (target: string) => {
              const { messages } = await leave(target);
              say(t('call-flow.replaced', { name }));
              for (const warning of messages.warning) warn(warning);
            },
          })}
        />
      )}
    </>
  );
}
