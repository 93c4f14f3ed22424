import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import type { EmployeeImportPreview } from '@pbxcore/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Column, DataTable, Pager } from '../../../ui/data-table.tsx';
import { Status, type Tone } from '../../../ui/status.tsx';

type Row = EmployeeImportPreview['rows'][number];
const PAGE = 50;
const TONES: Readonly<Record<Row['status'], Tone>> = {
  new: 'good',
  update: 'busy',
  duplicate: 'off',
  error: 'bad',
};

interface ImportPreviewProps {
  readonly preview: EmployeeImportPreview;
  readonly busy: boolean;
  readonly onConfirm: () => void;
}

export function ImportPreview({ preview, busy, onConfirm }: ImportPreviewProps) {
  const { t } = useTranslation();
  const [onlyProblems, setOnlyProblems] = useState(false);
  const [offset, setOffset] = useState(0);
  const { total, toCreate, toUpdate, toSkip, toFail } = preview;
  const rows = onlyProblems ? preview.rows.filter(({ status }) => status === 'error') : preview.rows;
  const count = toCreate + toUpdate;
  const columns: Column<Row>[] = [
    { id: 'line', label: t('employees.line'), numeric: true, cell: ({ line }) => line },
    { id: 'number', label: t('employees.number'), cell: ({ number }) => number },
    { id: 'name', label: t('employees.name'), cell: ({ user_username }) => <bdi>{user_username}</bdi> },
    {
      id: 'status',
      label: t('employees.becomes'),
      cell: ({ status }) => <Status tone={TONES[status]} label={t(`employees.row.${status}`)} />,
    },
    { id: 'errors', label: t('employees.problems'), cell: ({ errors }) => <Problems errors={errors} /> },
  ];
  return (
    <Stack component="section" aria-label={t('employees.preview')}>
      <Group justify="space-between">
        <Text size="sm" role="status">
          {t('employees.previewCounts', { total, toCreate, toUpdate, toSkip, toFail })}
        </Text>
        {toFail > 0 && (
          <Switch
            label={t('employees.onlyProblems')}
            checked={onlyProblems}
            onChange={({ currentTarget }) => {
              setOnlyProblems(currentTarget.checked);
              setOffset(0);
            }}
          />
        )}
      </Group>
      <DataTable
        caption={t('employees.preview')}
        columns={columns}
        rows={rows.slice(offset, offset + PAGE)}
        rowKey={({ line }) => String(line)}
        empty={<Text size="sm">{t('employees.noRows')}</Text>}
      />
      <Pager total={rows.length} limit={PAGE} offset={offset} onOffset={setOffset} />
      <Group>
        <Button loading={busy} disabled={count === 0} onClick={onConfirm}>
          {t('employees.importCount', { count })}
        </Button>
        {toFail > 0 && count > 0 && (
          <Text size="sm" c="dimmed">
            {t('employees.badLeftOut', { count: toFail })}
          </Text>
        )}
      </Group>
    </Stack>
  );
}

function Problems({ errors }: { readonly errors: readonly string[] }) {
  return (
    <Stack gap={0}>
      {errors.map((problem) => (
        <Text key={problem} size="sm">
          {problem}
        </Text>
      ))}
    </Stack>
  );
}
