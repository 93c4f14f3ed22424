import { Code, List, Text } from '@mantine/core';
import type { ModuleCheck } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';

const routesOf = ({ endpoints }: ModuleCheck, channel: 'public' | 'localhost'): string[] =>
  endpoints
    .filter(({ channels }) => channels.includes(channel))
    .filter(({ channels }) => channel === 'public' || !channels.includes('public'))
    .map(({ verb, path }) => `${verb} ${path}`);

/** Whether anything needs to be accepted: what it reads, changes or does, or answers without a key. */
export const opensAnything = (check: ModuleCheck): boolean =>
  [check.reads, check.writes, check.acts, routesOf(check, 'public'), routesOf(check, 'localhost')].flat()
    .length > 0;

/** What enabling the module accepts. */
export function ModuleOpenings({ check }: { readonly check: ModuleCheck }) {
  const { t } = useTranslation();
  return (
    <>
      <Part title={t('modules.mayReadHint')} entries={check.reads} />
      <Part title={t('modules.mayWriteHint')} entries={check.writes} />
      <Part title={t('modules.mayActHint')} entries={check.acts} />
      <Part title={t('modules.opensToAll')} entries={routesOf(check, 'public')} />
      <Part title={t('modules.opensToLocal')} entries={routesOf(check, 'localhost')} />
    </>
  );
}

function Part({ title, entries }: { readonly title: string; readonly entries: readonly string[] }) {
  if (entries.length === 0) return null;
  return (
    <>
      <Text mb={4}>{title}</Text>
      <List mb="sm">
        {entries.map((one) => (
          <List.Item key={one}>
            <Code>{one}</Code>
          </List.Item>
        ))}
      </List>
    </>
  );
}
