import { Text } from '@mantine/core';
import type { OffWorkTimeItem } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { useTargetWords } from '../parts/target-words.ts';
import { dayName } from './rule-fields.ts';

const SHORT = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** When a rule closes the line, and what callers hear then. */
export function RuleSentence({ rule }: { readonly rule: OffWorkTimeItem }) {
  const { t, i18n } = useTranslation();
  const words = useTargetWords();
  const { calType, date_from, date_to, weekday_from, weekday_to, time_from, time_to, action } = rule;
  const range = (from: string, to: string) => (from === to ? from : `${from} – ${to}`);
  const day = (name: string) => dayName(SHORT.indexOf(name) + 1, i18n.language);
  const date = (text: string) =>
    new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.parse(text));
  const isWhole = time_from === '' || (time_from === '00:00' && time_to >= '23:59');
  const when =
    calType === 'ical'
      ? [t('off-work-times.byCalendar')]
      : [
          ...(date_from === '' ? [] : [range(date(date_from), date(date_to))]),
          ...(weekday_from === '' ? [] : [range(day(weekday_from), day(weekday_to))]),
          ...(isWhole ? [] : [range(time_from, time_to)]),
        ];
  return (
    <Text size="sm" className="any-break" component="span">
      {when.join(', ') || t('off-work-times.always')}
      {' → '}
      <b>
        <bdi>
          {action === 'extension'
            ? words(rule.extension, rule.extension_represent)
            : t('off-work-times.plays', { sound: rule.audio_message_id_represent })}
        </bdi>
      </b>
      {rule.allowRestriction && ` ${t('off-work-times.restricted', { count: rule.incomingRouteIds.length })}`}
    </Text>
  );
}
