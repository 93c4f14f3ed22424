import { Anchor, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Status } from '../../../ui/status.tsx';
import type { Warning } from './warnings.ts';

/** More of them are on the screens they lead to. */
const SHOWN = 6;

/** One sentence: all is well, or the worst that was found and what helps. The rest below. */
export function Health({ warnings }: { readonly warnings: readonly Warning[] | undefined }) {
  const { t } = useTranslation();
  if (!warnings) return <Skeleton height={64} />;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('overview.health')}>
      {warnings.length === 0 ? (
        <Status tone="good" label={t('overview.allWell')} />
      ) : (
        <Stack component="ul" className="plain-list" gap="sm">
          {warnings.slice(0, SHOWN).map((warning, index) => (
            <li key={`${warning.text} ${warning.to}`}>
              <Found warning={warning} isWorst={index === 0} />
            </li>
          ))}
        </Stack>
      )}
      {warnings.length > SHOWN && (
        <Text size="sm" mt="sm">
          <Anchor component={Link} to="/status">
            {t('overview.more', { count: warnings.length - SHOWN })}
          </Anchor>
        </Text>
      )}
    </Paper>
  );
}

function Found({ warning, isWorst }: { readonly warning: Warning; readonly isWorst: boolean }) {
  const { t } = useTranslation();
  const { level, text, remedy, to } = warning;
  return (
    <>
      <Group gap="xs" wrap="nowrap" align="baseline">
        <Status tone={level === 'problem' ? 'bad' : 'warning'} label={t(`overview.level.${level}`)} />
        <Anchor
          component={Link}
          to={to}
          c="inherit"
          size={isWorst ? 'md' : 'sm'}
          fw={isWorst ? 600 : 400}
          className="any-break"
        >
          {text}
        </Anchor>
      </Group>
      {remedy && (
        <Text size="sm" c="dimmed" className="any-break">
          {remedy}
        </Text>
      )}
    </>
  );
}
