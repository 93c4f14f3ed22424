import { Fieldset, Group, Stack, Text } from '@mantine/core';
import { Trans, useTranslation } from 'react-i18next';
import { WholeNumber } from '../../../ui/whole-number.tsx';
import type { PartProps } from './employee-form.tsx';
import { TargetSelect } from './target-select.tsx';

/** Worded as a sentence, from top to bottom. */
export function ForwardingFields({ employee, values, set, problems }: PartProps) {
  const { t } = useTranslation();
  const target = (name: 'fwd_forwarding' | 'fwd_forwardingonbusy' | 'fwd_forwardingonunavailable') => (
    <TargetSelect
      label={t(`employees.field.${name}`)}
      value={values[name]}
      stored={{ value: employee[name], label: employee[`${name}_represent`] }}
      nothing={t(`employees.nothing.${name}`)}
      onChange={(value) => set(name, value)}
      error={problems[name]}
    />
  );
  const seconds = (
    <WholeNumber
      aria-label={t('employees.field.fwd_ringlength')}
      w={76}
      value={values.fwd_ringlength}
      onChange={(value) => set('fwd_ringlength', value)}
      error={problems.fwd_ringlength !== undefined}
    />
  );
  return (
    <Fieldset legend={t('employees.forwarding')}>
      <Stack gap="sm">
        <Line>
          <Trans
            i18nKey="employees.sentence.ring"
            components={{ seconds, target: target('fwd_forwarding') }}
          />
        </Line>
        {problems.fwd_ringlength && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {problems.fwd_ringlength}
          </Text>
        )}
        <Line>
          <Trans i18nKey="employees.sentence.busy" components={{ target: target('fwd_forwardingonbusy') }} />
        </Line>
        <Line>
          <Trans
            i18nKey="employees.sentence.unreachable"
            components={{ target: target('fwd_forwardingonunavailable') }}
          />
        </Line>
      </Stack>
    </Fieldset>
  );
}

const Line = ({ children }: { readonly children: React.ReactNode }) => (
  <Group gap={8} align="center" fz="sm">
    {children}
  </Group>
);
