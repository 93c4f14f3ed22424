import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export function Overview() {
  const { t } = useTranslation();
  return <Page title={t('app.screen.overview')}>{null}</Page>;
}
