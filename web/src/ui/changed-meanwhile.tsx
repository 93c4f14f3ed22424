import { Alert, Button, Group, SegmentedControl, Table, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Edited } from './edited.ts';

interface ChangedMeanwhileProps<T> {
  readonly edited: Edited<T>;
  readonly label: (name: keyof T & string) => string;
  readonly show: (name: keyof T & string, value: T[keyof T]) => ReactNode;
}

/** Shows what somebody else has changed meanwhile, to choose from before saving. Empty if there is nothing. */
export function ChangedMeanwhile<T>({ edited, label, show }: ChangedMeanwhileProps<T>) {
  const { t } = useTranslation();
  const { meanwhile, changes, values, latest, settle } = edited;
  const [chosen, setChosen] = useState<Partial<Record<keyof T, 'mine' | 'theirs'>>>({});
  if (meanwhile.length === 0) return null;
  /** For fields that the person did not change, the default is the other's value. */
  const choiceOf = (name: keyof T) => chosen[name] ?? (name in changes ? 'mine' : 'theirs');

  function choose(mine: readonly (keyof T)[]) {
    setChosen({});
    settle(mine);
  }

  return (
    <Alert color="orange" role="alert" title={t('ui.meanwhile.title')}>
      <Text size="sm" mb="xs">
        {t('ui.meanwhile.hint')}
      </Text>
      <Table.ScrollContainer minWidth={420}>
        <Table verticalSpacing={4} captionSide="top">
          <caption className="unseen">{t('ui.meanwhile.title')}</caption>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('ui.meanwhile.field')}</Table.Th>
              <Table.Th>{t('ui.meanwhile.mine')}</Table.Th>
              <Table.Th>{t('ui.meanwhile.theirs')}</Table.Th>
              <Table.Th>{t('ui.meanwhile.choice')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {meanwhile.map((name) => (
              <Table.Tr key={name}>
                <Table.Td>{label(name)}</Table.Td>
                <Table.Td>{show(name, values[name])}</Table.Td>
                <Table.Td>{show(name, latest[name])}</Table.Td>
                <Table.Td>
                  <SegmentedControl
                    size="xs"
                    aria-label={label(name)}
                    value={choiceOf(name)}
                    onChange={(choice) => setChosen({ ...chosen, [name]: choice as 'mine' | 'theirs' })}
                    data={[
                      { value: 'mine', label: t('ui.meanwhile.keepMine') },
                      { value: 'theirs', label: t('ui.meanwhile.takeTheirs') },
                    ]}
                  />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Group gap="xs" mt="xs">
        <Button size="xs" onClick={() => choose(meanwhile.filter((name) => choiceOf(name) === 'mine'))}>
          {t('ui.meanwhile.apply')}
        </Button>
        <Button size="xs" variant="default" onClick={() => choose(meanwhile)}>
          {t('ui.meanwhile.allMine')}
        </Button>
        <Button size="xs" variant="default" onClick={() => choose([])}>
          {t('ui.meanwhile.allTheirs')}
        </Button>
      </Group>
    </Alert>
  );
}
