import { Alert, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

/** The name of the script carries its hash, so it names the version of the page. */
const scriptOf = (html: string): string => /src="(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
const ours = scriptOf(document.head.innerHTML);

/** After an upgrade of the service this page is an older one: says so, and lets the reader choose the moment. */
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
