import { ActionIcon, Button, Code, Group, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CopyButton } from './copy-button.tsx';
import { CheckIcon, CopyIcon } from './icons.tsx';

export function CopyIconButton({ value, label }: { readonly value: string; readonly label?: string }) {
  const { t } = useTranslation();
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('ui.copied') : (label ?? t('ui.copy'))}>
          <ActionIcon variant="subtle" color="gray" onClick={copy} aria-label={label ?? t('ui.copy')}>
            {copied ? <CheckIcon /> : <CopyIcon />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** A short text to copy: a secret, an address, a command. */
export function Copyable({ value, label }: { readonly value: string; readonly label?: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Code className="any-break">{value}</Code>
      <CopyIconButton value={value} {...(label !== undefined && { label })} />
    </Group>
  );
}

/** A longer text to copy: a file to save, a command of several lines. */
export function CopyableBlock({ value, label }: { readonly value: string; readonly label: string }) {
  const { t } = useTranslation();
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <strong>{label}</strong>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button size="compact-xs" variant="default" onClick={copy}>
              {copied ? t('ui.copied') : t('ui.copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code block tabIndex={0}>
        {value}
      </Code>
    </div>
  );
}
