import { List, Paper, Stack, Text } from '@mantine/core';
import type { SystemInfo } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { Status } from '../../../ui/status.tsx';

type Finding = SystemInfo['findings'][number];

const WEIGHT = { problem: 0, warning: 1, ok: 2 } as const;
const TONES = { problem: 'bad', warning: 'warning', ok: 'good' } as const;

/** The worst first. The wording is that of `pbxcore doctor`. */
const worstFirst = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((a, b) => WEIGHT[a.level] - WEIGHT[b.level]);

/** Problems with their remedies; below, one line for each check that is ok. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  const { t } = useTranslation();
  const wrong = worstFirst(findings).filter(({ level }) => level !== 'ok');
  const well = findings.filter(({ level }) => level === 'ok');
  return (
    <Stack gap="xs">
      {wrong.length === 0 && <Status tone="good" label={t('system.allWell')} />}
      <Stack component="ul" gap="xs" className="plain-list">
        {wrong.map((finding) => (
          <Paper key={`${finding.id} ${finding.text}`} component="li" withBorder p="sm">
            <Status tone={TONES[finding.level]} label={t(`system.level.${finding.level}`)} />
            <Text size="sm" mt={4} className="any-break">
              {finding.text}
            </Text>
            {finding.remedy !== null && (
              <Text size="sm" c="dimmed" className="any-break">
                {t('system.remedy', { remedy: finding.remedy })}
              </Text>
            )}
          </Paper>
        ))}
      </Stack>
      {well.length > 0 && (
        <details>
          <summary>{t('system.well', { count: well.length })}</summary>
          <List size="sm" mt="xs">
            {well.map(({ id, text }) => (
              <List.Item key={`${id} ${text}`} className="any-break">
                {text}
              </List.Item>
            ))}
          </List>
        </details>
      )}
    </Stack>
  );
}
