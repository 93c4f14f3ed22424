import { Button, Fieldset, Group, PasswordInput, Radio, SimpleGrid, Stack, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { newSecret, TRANSPORTS, transportName } from '../employees/employee-fields.ts';
import { MASK } from './provider-fields.ts';
import { type PartProps, useInputs } from './provider-inputs.tsx';

const KINDS = ['outbound', 'inbound', 'none'] as const;

/** Who the provider is and how both sides find each other: the kind determines the fields. */
export function ConnectionFields(part: PartProps) {
  const { t } = useTranslation();
  const { values, set } = part;
  const { shared, text, number, choice } = useInputs(part);
  const kind = values.registration_type;
  return (
    <Fieldset legend={t('sip-providers.connection')}>
      <Stack>
        {text('description', true)}
        <Radio.Group
          label={t('sip-providers.field.registration_type')}
          error={part.problems.registration_type}
          value={kind}
          onChange={(value) => set('registration_type', value as (typeof KINDS)[number])}
        >
          <Stack gap={8} mt={6}>
            {KINDS.map((value) => (
              <Radio
                key={value}
                value={value}
                label={t(`sip-providers.kinds.${value}`)}
                description={t(`sip-providers.kindHint.${value}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {text('host', true)}
          {number('port')}
          {choice('transport', TRANSPORTS, transportName)}
        </SimpleGrid>
        {kind !== 'none' && <Login {...part} />}
        <Textarea
          {...shared('note')}
          autosize
          minRows={1}
          maxRows={6}
          value={values.note}
          onChange={({ currentTarget }) => set('note', currentTarget.value)}
        />
      </Stack>
    </Fieldset>
  );
}

export function Login(part: PartProps) {
  const { t } = useTranslation();
  const { provider, values, set } = part;
  const { shared, text } = useInputs(part);
  const isStored = provider.secret === MASK;
  const kind = values.registration_type;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {text('username', kind !== 'none')}
      <Group align="start" gap="xs" wrap="nowrap">
        <PasswordInput
          {...shared('secret')}
          flex={1}
          required={kind !== 'none' && !isStored}
          autoComplete="new-password"
          {...(isStored && { description: t('sip-providers.secretKept') })}
          value={values.secret}
          onChange={({ currentTarget }) => set('secret', currentTarget.value)}
          visibilityToggleButtonProps={{ 'aria-label': t('sip-providers.showSecret') }}
        />
        {kind === 'inbound' && (
          <Button mt={25} variant="default" onClick={() => set('secret', newSecret())}>
            {t('sip-providers.generate')}
          </Button>
        )}
      </Group>
    </SimpleGrid>
  );
}
