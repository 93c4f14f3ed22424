import { Group, Stack, Text } from '@mantine/core';
import type { SystemInfo } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { Status } from '../../../ui/status.tsx';
import { Ago } from '../../../ui/time.tsx';
import { Facts } from './facts.tsx';

/** Version, stores, data folder, clock, and how much is stored. */
export function ServiceFacts({ info }: { readonly info: SystemInfo }) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const { data, clock, records } = info;
  return (
    <Stack gap="md">
      <Facts
        facts={[
          [t('system.version'), `pbxcore ${info.version}, Node ${info.node}`],
          [t('system.started'), <Ago key="started" at={Date.parse(info.startedAt)} />],
          [t('system.clock'), `${clock.now.slice(0, 19).replace('T', ' ')} · ${clock.timezone}`],
          ...info.stores.map(
            (store) =>
              [
                t(`system.store.${store.name === 'database' ? 'database' : 'keys'}`),
                <Group key={store.name} gap="xs">
                  <Status
                    tone={store.reachable ? 'good' : 'bad'}
                    label={t(store.reachable ? 'system.reachable' : 'system.unreachable')}
                  />
                  <Text size="sm">
                    {KINDS[store.kind]}
                    {store.sizeBytes !== null && ` · ${bytes(store.sizeBytes, i18n.language)}`}
                  </Text>
                </Group>,
              ] as const,
          ),
          [t('system.dataFolder'), data.path],
          [
            t('system.space'),
            t('system.spaceOf', {
              free: bytes(data.freeBytes, i18n.language),
              total: bytes(data.totalBytes, i18n.language),
            }),
          ],
        ]}
      />
      {records && (
        <Facts
          facts={(Object.keys(records) as (keyof typeof records)[]).map((name) => [
            t(`system.records.${name}`),
            number.format(records[name]),
          ])}
        />
      )}
    </Stack>
  );
}

const KINDS = { sqlite: 'SQLite', postgres: 'PostgreSQL', embedded: 'embedded', redis: 'Redis' } as const;
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

function bytes(count: number, language: string): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(count, 1)) / 3));
  const options = { style: 'unit', unit: UNITS[power] ?? 'byte', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, options).format(count / 1000 ** power);
}
