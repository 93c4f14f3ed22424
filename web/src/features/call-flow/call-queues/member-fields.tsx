import { ActionIcon, Fieldset, Group, Select, Stack, Switch, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { addHere, removeRow } from '../../../ui/focus.ts';
import { WholeNumber } from '../../../ui/whole-number.tsx';
import { RemoveIcon } from '../parts/icons.tsx';
import { Sentence } from '../parts/inputs.tsx';
import { OrderedList } from '../parts/ordered-list.tsx';
import { TargetPicker } from '../parts/target-picker.tsx';
import { type QueueFields, STRATEGIES } from './queue-fields.ts';
import type { QueuePart } from './queue-form.tsx';

type Seconds = 'seconds_to_ring_each_member' | 'seconds_for_wrapup' | 'seconds_after_reject';

/** The members of the queue, in which order and how they are rung. */
export function MemberFields({ record, values, set, problems }: QueuePart) {
  const { t } = useTranslation();
  /** Names of members added here. */
  const [names, setNames] = useState<Readonly<Record<string, string>>>({});
  const [added, setAdded] = useState(0);
  const area = useRef<HTMLFieldSetElement>(null);
  const nameOf = (number: string): string =>
    record.members.find(({ extension }) => extension === number)?.represent || (names[number] ?? number);
  const seconds = (name: Seconds) => (
    <WholeNumber
      aria-label={t(`call-queues.field.${name}`)}
      w={72}
      value={values[name]}
      onChange={(value) => set(name, value)}
      error={problems[name] !== undefined}
    />
  );
  const problem = Object.entries(problems).find(([name]) => name.startsWith('members'))?.[1];
  return (
    <Fieldset legend={t('call-queues.members')} ref={area}>
      <Stack gap="sm">
        <OrderedList
          label={t('call-queues.members')}
          items={values.members}
          keyOf={(number) => number}
          nameOf={nameOf}
          onOrder={values.members.length > 1 ? (members) => set('members', members) : undefined}
        >
          {(number) => (
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" className="any-break">
                <bdi>{nameOf(number)}</bdi>
              </Text>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('call-queues.removeMember', { name: nameOf(number) })}
                data-remover
                onClick={({ currentTarget }) =>
                  removeRow(currentTarget, () =>
                    set(
                      'members',
                      values.members.filter((other) => other !== number),
                    ),
                  )
                }
              >
                <RemoveIcon />
              </ActionIcon>
            </Group>
          )}
        </OrderedList>
        <TargetPicker
          // Emptied for the next one.
          key={added}
          label={t('call-queues.addMember')}
          withLabel
          onlyPhones
          isAdder
          value=""
          represent=""
          onChange={(number, represent) =>
            addHere(area.current, () => {
              setAdded(added + 1);
              setNames({ ...names, [number]: represent });
              if (!values.members.includes(number)) set('members', [...values.members, number]);
            })
          }
          error={problem}
        />
        <Select
          label={t('call-queues.field.strategy')}
          maw={420}
          allowDeselect={false}
          value={values.strategy}
          data={STRATEGIES.map((value) => ({ value, label: t(`call-queues.strategy.${value}`) }))}
          onChange={(value) => value && set('strategy', value as QueueFields['strategy'])}
          error={problems.strategy}
        />
        <Sentence problem={problems.seconds_to_ring_each_member ?? problems.seconds_for_wrapup}>
          <Trans
            i18nKey="call-queues.sentence.ring"
            components={{
              ring: seconds('seconds_to_ring_each_member'),
              wrapup: seconds('seconds_for_wrapup'),
            }}
          />
        </Sentence>
        <Sentence problem={problems.seconds_after_reject}>
          <Trans
            i18nKey="call-queues.sentence.reject"
            components={{ seconds: seconds('seconds_after_reject') }}
          />
        </Sentence>
        <Switch
          label={t('call-queues.field.recive_calls_while_on_a_call')}
          checked={values.recive_calls_while_on_a_call}
          onChange={({ currentTarget }) => set('recive_calls_while_on_a_call', currentTarget.checked)}
        />
      </Stack>
    </Fieldset>
  );
}
