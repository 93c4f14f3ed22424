import { ActionIcon, Button, Group, Table, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { addRow, removeRow } from '../../../ui/focus.ts';
import { PlusIcon } from '../../../ui/icons.tsx';
import { RemoveIcon } from '../parts/icons.tsx';
import { TargetPicker } from '../parts/target-picker.tsx';
import { type Key, nextKey } from './menu-fields.ts';
import type { MenuPart } from './menu-form.tsx';

/** The keys that a caller may press, and their targets. */
export function KeyTable({ record, values, set, problems }: MenuPart) {
  const { t } = useTranslation();
  const keys = values.actions;
  const representOf = (target: string) =>
    record.actions.find(({ extension }) => extension === target)?.extension_represent ?? '';
  const change = (at: number, key: Partial<Key>) =>
    set(
      'actions',
      keys.map((old, index) => (index === at ? { ...old, ...key } : old)),
    );
  return (
    <div>
      {keys.length > 0 && (
        <Table verticalSpacing={4} withRowBorders={false} captionSide="top" layout="fixed" maw={560}>
          <caption className="unseen">{t('ivr-menu.keys')}</caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={110}>{t('ivr-menu.key')}</Table.Th>
              <Table.Th>{t('ivr-menu.leadsTo')}</Table.Th>
              <Table.Th w={44}>
                <span className="unseen">{t('ivr-menu.removeKey')}</span>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {keys.map(({ digits, extension }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: keys are edited in place, and may be equal meanwhile
              <Table.Tr key={at} style={{ verticalAlign: 'top' }}>
                <Table.Td>
                  <TextInput
                    aria-label={t('ivr-menu.keyAt', { place: at + 1 })}
                    inputMode="tel"
                    autoComplete="off"
                    maxLength={10}
                    value={digits}
                    onChange={({ currentTarget }) => change(at, { digits: currentTarget.value })}
                    error={problems[`actions[${at}].digits`]}
                  />
                </Table.Td>
                <Table.Td>
                  <TargetPicker
                    label={t('ivr-menu.targetOf', { key: digits })}
                    isWide
                    value={extension}
                    represent={representOf(extension)}
                    onChange={(target) => change(at, { extension: target })}
                    error={problems[`actions[${at}].extension`]}
                  />
                </Table.Td>
                <Table.Td>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    mt={4}
                    aria-label={t('ivr-menu.remove', { key: digits })}
                    data-remover
                    onClick={({ currentTarget }) =>
                      removeRow(currentTarget, () =>
                        set(
                          'actions',
                          keys.filter((_, index) => index !== at),
                        ),
                      )
                    }
                  >
                    <RemoveIcon />
                  </ActionIcon>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {keys.length === 0 && (
        <Text size="sm" c="dimmed" mb="xs">
          {t('ivr-menu.noKeys')}
        </Text>
      )}
      {problems.actions && !Object.keys(problems).some((name) => name.startsWith('actions[')) && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {problems.actions}
        </Text>
      )}
      <Group mt={6}>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<PlusIcon size={14} />}
          data-adder
          onClick={({ currentTarget }) =>
            addRow(currentTarget, () => set('actions', [...keys, { digits: nextKey(keys), extension: '' }]))
          }
        >
          {t('ivr-menu.addKey')}
        </Button>
      </Group>
    </div>
  );
}
