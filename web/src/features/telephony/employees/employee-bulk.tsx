import { Button, Group, Menu, Paper, Text } from '@mantine/core';
import type { EmployeeFullItem } from '@pbxcore/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api/api.ts';
import { offerUndo, sayFailed } from '../../../ui/undo.tsx';
import { exportEmployees, FORMATS } from './employee-export.ts';
import { TRANSPORTS, type Transport, transportName } from './employee-fields.ts';
import { employeesChanged } from './employee-removal.ts';
import { useEmployeeRemoval } from './use-employee-removal.tsx';

interface BulkProps {
  readonly chosen: readonly EmployeeFullItem[];
  readonly onDone: () => void;
}

/** Actions for several employees at once. */
export function EmployeeBulk({ chosen, onDone }: BulkProps) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const count = chosen.length;
  const ids = chosen.map(({ id }) => id);
  const removal = useEmployeeRemoval({ done: onDone });

  async function doing(work: () => Promise<void>) {
    setBusy(true);
    try {
      await work();
      onDone();
    } catch (error) {
      sayFailed(error);
    } finally {
      setBusy(false);
    }
  }

  async function setTransport(transport: Transport) {
    const before = chosen.map(({ id, sip_transport }) => ({ id, sip_transport }));
    await api.employees.batchUpdate({ employees: ids.map((id) => ({ id, sip_transport: transport })) });
    await employeesChanged();
    offerUndo(t('employees.transportSet', { count, transport: transportName(transport) }), async () => {
      await api.employees.batchUpdate({ employees: before });
      await employeesChanged();
    });
  }

  return (
    <Paper withBorder p="xs" role="region" aria-label={t('employees.selected', { count })}>
      <Group gap="xs">
        <Text size="sm" fw={600} role="status">
          {t('employees.selected', { count })}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          c="var(--mantine-color-error)"
          loading={busy || removal.busy}
          onClick={() => removal.remove(ids)}
        >
          {t('employees.delete')}
        </Button>
        {removal.dialog}
        <Menu>
          <Menu.Target>
            <Button size="compact-sm" variant="default" disabled={busy}>
              {t('employees.setTransport')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {TRANSPORTS.map((transport) => (
              <Menu.Item key={transport} onClick={() => void doing(() => setTransport(transport))}>
                {transportName(transport)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <ExportMenu numbers={chosen.map(({ number }) => number)} size="compact-sm" />
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onDone}>
          {t('employees.deselect')}
        </Button>
      </Group>
    </Paper>
  );
}

interface ExportMenuProps {
  /** Absent: all. */
  readonly numbers?: readonly string[];
  readonly size?: string;
}

export function ExportMenu({ numbers, size = 'sm' }: ExportMenuProps) {
  const { t } = useTranslation();
  return (
    <Menu>
      <Menu.Target>
        <Button size={size} variant="default">
          {t(numbers ? 'employees.export' : 'employees.exportAll')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {FORMATS.map((format) => (
          <Menu.Item key={format} onClick={() => void exportEmployees(format, numbers).catch(sayFailed)}>
            {t(`employees.format.${format}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
