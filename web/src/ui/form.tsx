import { Alert, Button, Group, List, Stack } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { LeaveGuard } from './leave-guard.tsx';

interface FormProps {
  readonly onSubmit: () => void;
  readonly busy: boolean;
  /** There are unsaved changes: leaving asks. Saving and cancelling do not. */
  readonly isDirty?: boolean;
  /** Problems that belong to no field. */
  readonly problems: readonly string[];
  readonly action: string;
  /** Shown beside the save button. */
  readonly beside?: ReactNode;
  readonly onCancel?: () => void;
  readonly children: ReactNode;
}

/** A form that is sent only once however often its button is pressed, and keeps its values if refused. */
export function Form(props: FormProps) {
  const { onSubmit, busy, isDirty = false, problems, action, beside, onCancel, children } = props;
  const { t } = useTranslation();
  const isDiscarded = useRef(false);

  function cancel() {
    isDiscarded.current = true;
    onCancel?.();
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSubmit();
      }}
    >
      <LeaveGuard
        isNeeded={() => isDirty && !busy && !isDiscarded.current}
        // Values being sent may wait for the password of a session that has ended.
        isNeededToSignOut={() => isDirty}
        title={t('ui.leave.title')}
        text={t('ui.leave.text')}
      />
      <Stack gap="md">
        {children}
        {problems.length > 0 && (
          <Alert color="red" role="alert" title={t('ui.failed')}>
            <List size="sm">
              {problems.map((problem) => (
                <List.Item key={problem}>{problem}</List.Item>
              ))}
            </List>
          </Alert>
        )}
        <Group>
          <Button type="submit" loading={busy}>
            {action}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={cancel}>
              {t('ui.cancel')}
            </Button>
          )}
          {beside}
        </Group>
      </Stack>
    </form>
  );
}
