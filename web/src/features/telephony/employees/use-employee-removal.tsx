import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { ApiError } from '@pbxcore/client';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { needTexts } from '../../../texts/i18n.ts';
import { useFocusBack } from '../../../ui/focus.ts';
import { sayFailed } from '../../../ui/undo.tsx';
import { InUse } from '../../call-flow/parts/in-use.tsx';
import { Users } from '../../call-flow/parts/users.tsx';
import { removeEmployees, type UsedEmployee, usedAmong } from './employee-removal.ts';

interface RemovalOptions {
  /** It is not refetched while it is being deleted. */
  readonly onLeaving?: (isLeaving: boolean) => void;
  readonly done: () => unknown;
}

interface Removal {
  readonly busy: boolean;
  readonly remove: (ids: readonly string[]) => void;
  /** Must be rendered. */
  readonly dialog: ReactNode;
}

/** Deletes employees. If calls go to one of them, none is deleted, and a dialog says what can be done. */
export function useEmployeeRemoval({ onLeaving, done }: RemovalOptions): Removal {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<{
    readonly asked: number;
    readonly used: readonly UsedEmployee[];
  }>();

  async function leave(ids: readonly string[], replaceWith?: string): Promise<void> {
    setBusy(true);
    onLeaving?.(true);
    try {
      await removeEmployees(ids, replaceWith);
      await done();
    } catch (error) {
      onLeaving?.(false);
      throw error;
    } finally {
      setBusy(false);
    }
  }

  async function remove(ids: readonly string[]): Promise<void> {
    try {
      await leave(ids);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 409)) return sayFailed(error);
      try {
        await needTexts('callFlow');
        setRefused({ asked: ids.length, used: await usedAmong(ids) });
      } catch {
        sayFailed(error);
      }
    }
  }

  const close = () => setRefused(undefined);
  const only = refused?.asked === 1 ? refused.used[0] : undefined;
  return {
    busy,
    remove: (ids) => void remove(ids),
    dialog: only ? (
      <InUse
        name={only.name}
        users={only.users}
        onClose={close}
        onReplace={(target) => leave([only.id], target)}
      />
    ) : (
      refused && <SeveralInUse used={refused.used} onClose={close} />
    ),
  };
}

interface SeveralInUseProps {
  readonly used: readonly UsedEmployee[];
  readonly onClose: () => void;
}

/** If one of several is in use, none is deleted: shows which ones, and by what they are used. */
function SeveralInUse({ used, onClose }: SeveralInUseProps) {
  const { t } = useTranslation();
  useFocusBack();
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('employees.inUse')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <Stack>
        <Text size="sm">{t('employees.inUseHint')}</Text>
        {used.map(({ id, name, users }) => (
          <div key={id}>
            <Text size="sm" fw={600} className="any-break">
              <bdi>{name}</bdi>
            </Text>
            <Users users={users} />
          </div>
        ))}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.close')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
