import { Button, Menu } from '@mantine/core';
import type { CdrExportQuery } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { beginExport, useExport } from './export-run.tsx';

interface CallExportProps {
  readonly parameters: CdrExportQuery;
  readonly total: number | undefined;
}

/** Exports everything that the filter finds, not only the rows shown. */
export function CallExport({ parameters, total }: CallExportProps) {
  const { t, i18n } = useTranslation();
  const { running } = useExport();
  const shown = total === undefined ? '' : new Intl.NumberFormat(i18n.language).format(total);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="default" size="xs" disabled={!total || running} loading={running}>
          {total ? t('cdr.export.all', { count: total, shown }) : t('cdr.export.nothing')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['csv', 'ndjson'] as const).map((format) => (
          <Menu.Item key={format} onClick={() => void beginExport({ ...parameters, format }, total ?? 0)}>
            {t(`cdr.export.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
