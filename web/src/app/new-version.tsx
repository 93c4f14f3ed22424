import { Alert, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

/** The name of the script contains its hash, so it identifies the version of the page. */
const scriptOf = (html: string): string => /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
const ours = scriptOf(document.head.innerHTML);

/** Shows that the service was upgraded and this page is an older one; the reader chooses when to reload. */
export function NewVersion() {
  const { t } = useTranslation();
  const { data: served = ours } = useQuery({
    queryKey: ['page', 'version'],
    queryFn: async () => scriptOf(await (await fetch('/', { cache: 'no-cache' })).text()) || ours,
    refetchInterval: 600_000,
    enabled: ours !== '',
  });
  if (served === ours) return null;
  return (
    <Alert mb="md" role="status" title={t('app.newVersion')}>
      <Group>
        {t('app.newVersionHint')}
        <Button size="compact-sm" onClick={() => location.reload()}>
          {t('app.reload')}
        </Button>
      </Group>
    </Alert>
  );
}
