import { Alert, Button, Group, List, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface FormProps {
  readonly onSubmit: () => void;
  readonly busy: boolean;
  /** Problems that belong to no field. */
  readonly problems: readonly string[];
  readonly action: string;
  /** Beside the button that saves. */
  readonly beside?: ReactNode;
  readonly onCancel?: () => void;
  readonly children: ReactNode;
}

/** A form that is sent once however often its button is pressed, and keeps what was typed when the answer is no. */
export function Form({ onSubmit, busy, problems, action, beside, onCancel, children }: FormProps) {
  const { t } = useTranslation();
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onSubmit();
      }}
    >
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
            <Button variant="default" onClick={onCancel}>
              {t('ui.cancel')}
            </Button>
          )}
          {beside}
        </Group>
      </Stack>
    </form>
  );
}
