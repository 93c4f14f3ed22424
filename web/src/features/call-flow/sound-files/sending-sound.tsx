import { Group, Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface SendingSoundProps {
  readonly name: string;
  /** From 0 to 1; at 1, the exchange converts it. */
  readonly part: number;
}

/** Progress of sending a sound. */
export function SendingSound({ name, part }: SendingSoundProps) {
  const { t } = useTranslation();
  return (
    <Group gap="xs" miw={220} role="status">
      <Text size="sm" lineClamp={1} maw={260}>
        {t(part < 1 ? 'sound-files.sending' : 'sound-files.converting', { name })}
      </Text>
      <Progress w={120} value={part * 100} animated={part === 1} aria-label={t('sound-files.progress')} />
    </Group>
  );
}
