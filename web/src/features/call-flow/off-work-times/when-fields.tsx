import { Fieldset, Radio, Select, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useExchangeZone } from '../../../api/use-exchange-zone.ts';
import { HINT_BELOW } from '../parts/inputs.tsx';
import { dayName, EVERY_DAY, type RuleFields, WEEKDAYS, type Weekday } from './rule-fields.ts';
import type { RulePart } from './rule-form.tsx';

/** A browser's time input does not support it and would be empty: it is shown and entered as midnight. */
const END_OF_DAY = '24:00';

/** When the line is closed: days and times, or a calendar. */
export function WhenFields(part: RulePart) {
  const { t } = useTranslation();
  const { values, set } = part;
  return (
    <Fieldset legend={t('off-work-times.when')}>
      <Stack>
        <Radio.Group
          aria-label={t('off-work-times.field.calType')}
          value={values.calType}
          onChange={(value) => set('calType', value as RuleFields['calType'])}
        >
          <Stack gap={8}>
            <Radio value="timeframe" label={t('off-work-times.calType.timeframe')} />
            <Radio
              value="ical"
              label={t('off-work-times.calType.ical')}
              description={t('off-work-times.calType.icalHint')}
            />
          </Stack>
        </Radio.Group>
        {values.calType === 'timeframe' && <Times {...part} />}
        <Zone {...part} />
      </Stack>
    </Fieldset>
  );
}

function Times({ values, set, problems }: RulePart) {
  const { t, i18n } = useTranslation();
  const isWhole = values.time_from === '' && values.time_to === '';
  const days = WEEKDAYS.map((day) => ({ value: day as string, label: dayName(Number(day), i18n.language) }));
  const typed = (name: 'date_from' | 'date_to' | 'time_from' | 'time_to', type: 'date' | 'time') => (
    <TextInput
      type={type}
      label={t(`off-work-times.field.${name}`)}
      value={name === 'time_to' && values.time_to === END_OF_DAY ? '00:00' : values[name]}
      onChange={({ currentTarget: { value } }) =>
        set(name, name === 'time_to' && value === '00:00' ? END_OF_DAY : value)
      }
      error={problems[name]}
    />
  );

  function setFrom(day: Weekday) {
    set('weekday_from', day);
    if (day === EVERY_DAY || values.weekday_to === EVERY_DAY) set('weekday_to', day);
  }

  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} maw={560}>
        <Select
          label={t('off-work-times.field.weekday_from')}
          allowDeselect={false}
          value={values.weekday_from}
          data={[{ value: EVERY_DAY, label: t('off-work-times.everyDay') }, ...days]}
          onChange={(day) => day && setFrom(day as Weekday)}
          error={problems.weekday_from}
        />
        {values.weekday_from !== EVERY_DAY && (
          <Select
            label={t('off-work-times.field.weekday_to')}
            allowDeselect={false}
            value={values.weekday_to}
            data={days}
            onChange={(day) => day && set('weekday_to', day as Weekday)}
            error={problems.weekday_to}
          />
        )}
      </SimpleGrid>
      <Switch
        label={t('off-work-times.wholeDays')}
        checked={isWhole}
        onChange={({ currentTarget }) => {
          set('time_from', currentTarget.checked ? '' : '18:00');
          set('time_to', currentTarget.checked ? '' : '09:00');
        }}
      />
      {!isWhole && (
        <SimpleGrid cols={2} maw={560}>
          {typed('time_from', 'time')}
          {typed('time_to', 'time')}
        </SimpleGrid>
      )}
      {values.time_from > values.time_to && values.time_to !== '' && (
        <Text size="xs" c="dimmed" role="status">
          {t('off-work-times.overMidnight', { time: values.time_to })}
        </Text>
      )}
      {values.time_to === END_OF_DAY && (
        <Text size="xs" c="dimmed" role="status">
          {t('off-work-times.untilMidnight')}
        </Text>
      )}
      <SimpleGrid cols={2} maw={560}>
        {typed('date_from', 'date')}
        {typed('date_to', 'date')}
      </SimpleGrid>
    </>
  );
}

function Zone({ values, set, problems }: RulePart) {
  const { t } = useTranslation();
  const { data: zone = '' } = useExchangeZone();
  return (
    <TextInput
      label={t('off-work-times.field.timezone')}
      inputWrapperOrder={HINT_BELOW}
      description={t('off-work-times.zoneHint', { zone })}
      placeholder={zone}
      maw={560}
      autoComplete="off"
      value={values.timezone}
      onChange={({ currentTarget }) => set('timezone', currentTarget.value)}
      error={problems.timezone}
    />
  );
}
