import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SearchIcon } from '../ui/icons.tsx';

export function PaletteButton({ onOpen }: { readonly onOpen: () => void }) {
  const { t } = useTranslation();
  return (
    <Button variant="default" size="compact-md" onClick={onOpen}>
      <SearchIcon size={14} />
      <span className="unseen">{t('app.search')}</span>
      <span className="wide-only">Ctrl K</span>
    </Button>
  );
}
