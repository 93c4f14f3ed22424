import { Alert, Anchor, Button, FileButton, Group, List, Radio, Stack, Text, Textarea } from '@mantine/core';
import type { EmployeeImportPreview, EmployeeImport as Outcome } from '@pbxcore/client';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { ApiCall } from '../../../ui/api-call.tsx';
import { download } from '../../../ui/download.ts';
import { Failure } from '../../../ui/failure.tsx';
import { LeaveGuard } from '../../../ui/leave-guard.tsx';
import { Page } from '../../../ui/page.tsx';
import { sayFailed } from '../../../ui/undo.tsx';
import { employeesChanged } from './employee-removal.ts';
import { ImportPreview } from './import-preview.tsx';

const STRATEGIES = ['skip_duplicates', 'update_existing', 'fail_on_duplicate'] as const;
type Strategy = (typeof STRATEGIES)[number];

/** Preview first: every row shows its outcome before anything is stored. */
export function EmployeeImport() {
  const { t, i18n } = useTranslation();
  const [csv, setCsv] = useState('');
  const [strategy, setStrategy] = useState<Strategy>('skip_duplicates');
  const [preview, setPreview] = useState<EmployeeImportPreview>();
  const [notes, setNotes] = useState<readonly string[]>([]);
  const [outcome, setOutcome] = useState<Outcome>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const forgetFile = useRef<() => void>(null);

  async function doing(work: () => Promise<void>) {
    setBusy(true);
    setError(undefined);
    try {
      await work();
    } catch (problem) {
      setError(problem);
    } finally {
      setBusy(false);
    }
  }

  const look = (text: string, how: Strategy) =>
    doing(async () => {
      setPreview(undefined);
      setOutcome(undefined);
      const { data, messages } = await api.employees.import({ csv: text, strategy: how });
      setPreview(data as EmployeeImportPreview);
      setNotes(messages.warning);
    });

  const store = (upload: EmployeeImportPreview) =>
    doing(async () => {
      const { data } = await api.employees.confirmImport({ upload_id: upload.upload_id, strategy });
      setOutcome(data);
      setPreview(undefined);
      await employeesChanged();
    });

  /** The preview belongs to another text. */
  function edit(text: string) {
    setCsv(text);
    setPreview(undefined);
    setOutcome(undefined);
    setError(undefined);
  }

  async function open(file: File | null) {
    if (!file) return;
    // Otherwise the same file could not be chosen again after a correction.
    forgetFile.current?.();
    const text = await textOf(file, i18n.language);
    setCsv(text);
    await look(text, strategy);
  }

  return (
    <Page title={t('employees.importTitle')}>
      <LeaveGuard
        isNeeded={() => csv.trim() !== '' && !outcome}
        title={t('ui.leave.title')}
        text={t('ui.leave.text')}
      />
      <Text size="sm">{t('employees.importHint')}</Text>
      <Group>
        <FileButton
          resetRef={forgetFile}
          onChange={(file) => void open(file)}
          accept=".csv,.txt,text/csv"
          inputProps={{ 'aria-label': t('employees.chooseFile') }}
        >
          {(props) => (
            <Button {...props} loading={busy}>
              {t('employees.chooseFile')}
            </Button>
          )}
        </FileButton>
        <Button variant="default" onClick={() => void fetchTemplate().catch(sayFailed)}>
          {t('employees.template')}
        </Button>
      </Group>
      <Textarea
        label={t('employees.paste')}
        autosize
        minRows={3}
        maxRows={8}
        value={csv}
        readOnly={busy}
        onChange={({ currentTarget }) => edit(currentTarget.value)}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Radio.Group
        label={t('employees.strategy')}
        value={strategy}
        onChange={(value) => {
          setStrategy(value as Strategy);
          if (preview) void look(csv, value as Strategy);
        }}
      >
        <Stack gap={6} mt={6}>
          {STRATEGIES.map((value) => (
            <Radio key={value} value={value} label={t(`employees.strategies.${value}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <Group>
        <Button
          variant={preview ? 'default' : 'filled'}
          loading={busy}
          disabled={csv.trim() === ''}
          onClick={() => void look(csv, strategy)}
        >
          {t('employees.preview')}
        </Button>
        <ApiCall method="POST" path="/employees:import" body={{ csv, strategy }} />
      </Group>
      {error !== undefined && <Failure error={error} />}
      {notes.length > 0 && preview && (
        <Alert color="orange" title={t('employees.notes')}>
          <List size="sm">
            {notes.map((note) => (
              <List.Item key={note}>{note}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {preview && <ImportPreview preview={preview} busy={busy} onConfirm={() => void store(preview)} />}
      {outcome && <Done outcome={outcome} />}
    </Page>
  );
}

function Done({ outcome: { imported, updated, skipped, failed } }: { readonly outcome: Outcome }) {
  const { t } = useTranslation();
  return (
    <Alert color={failed.length > 0 ? 'orange' : 'green'} role="status" title={t('employees.importDone')}>
      <Text size="sm">
        {t('employees.importCounts', { imported, updated, skipped, failed: failed.length })}
      </Text>
      <List size="sm">
        {failed.slice(0, 100).map(({ line, errors }) => (
          <List.Item key={line}>{t('employees.failedLine', { line, errors: errors.join('; ') })}</List.Item>
        ))}
      </List>
      <Anchor renderRoot={(props) => <Link to="/employees" {...props} />}>{t('employees.backToList')}</Anchor>
    </Alert>
  );
}

async function fetchTemplate(): Promise<void> {
  download('employees-template.csv', await (await api.employees.exportTemplate({ format: 'full' })).blob());
}

/** Spreadsheets still write their country's old code page: read as UTF-8, names beyond ASCII would be lost. */
async function textOf(file: File, language: string): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder(language === 'ru' ? 'windows-1251' : 'windows-1252').decode(bytes);
  }
}
