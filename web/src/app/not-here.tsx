import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../ui/page.tsx';

export function NotHere() {
  const { t } = useTranslation();
  return (
    <Page title={t('app.notHere')}>
      <Text>
        {t('app.notHereHint')}{' '}
        <Anchor component={Link} to="/">
          {t('app.screen.overview')}
        </Anchor>
      </Text>
    </Page>
  );
}
