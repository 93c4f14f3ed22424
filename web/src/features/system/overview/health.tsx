import { Anchor, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../../ui/failure.tsx';
import { Status } from '../../../ui/status.tsx';
import type { Warning } from './warnings.ts';

/** Others are on the screens they link to. */
const SHOWN = 6;

interface HealthProps {
  readonly warnings: readonly Warning[];
  /** Whether all answers about possible problems have arrived. */
  readonly isKnown: boolean;
  /** Why a part of it is unknown. */
  readonly error: Error | null;
  readonly retry: () => void;
}

/** One sentence: all is well, or the worst problem and its remedy. The rest below. */
export function Health({ warnings, isKnown, error, retry }: HealthProps) {
  if (error)
    return (
      <Stack gap="sm">
        <Failure error={error} retry={retry} />
        {warnings.length > 0 && <Found warnings={warnings} />}
      </Stack>
    );
  if (!isKnown && warnings.length === 0) return <Skeleton height={64} />;
  return <Found warnings={warnings} />;
}

function Found({ warnings }: { readonly warnings: readonly Warning[] }) {
  const { t } = useTranslation();
  return (
    <Paper withBorder p="md" component="section" aria-label={t('overview.health')}>
      {warnings.length === 0 ? (
        <Status tone="good" label={t('overview.allWell')} />
      ) : (
        <Stack component="ul" className="plain-list" gap="sm">
          {warnings.slice(0, SHOWN).map((warning, index) => (
            <li key={`${warning.text} ${warning.to}`}>
              <One warning={warning} isWorst={index === 0} />
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

function One({ warning, isWorst }: { readonly warning: Warning; readonly isWorst: boolean }) {
  const { t } = useTranslation();
  const { level, text, remedy, to } = warning;
  return (
    <>
      <Group gap="xs" align="baseline">
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
