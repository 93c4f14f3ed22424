import { Button, Group, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAddress } from '../../../ui/address.ts';
import { Failure } from '../../../ui/failure.tsx';
import { useNow } from '../../../ui/time.tsx';
import { DEFAULT_ROUTE } from '../incoming-routes/route-fields.ts';
import { useRouteNames } from './use-route-names.ts';
import { addDays, clockOf, type Day, minuteNow, readDay, today, weekOf } from './week.ts';
import classes from './week-grid.module.css';

const WHOLE = 24 * 60;
const HOURS = [0, 6, 12, 18, 24];

interface WeekGridProps {
  readonly zone: string;
  /** Id of the route. */
  readonly route: string;
}

/** One week as the exchange decides: when the line is closed, and by which rule. */
export function WeekGrid({ zone, route }: WeekGridProps) {
  const { t } = useTranslation();
  const address = useAddress();
  const days = weekOf(address.get('week'), today(zone));
  const [monday = ''] = days;
  const { data, error, refetch } = useQuery({
    queryKey: ['off-work-times', 'week', monday, route, zone],
    queryFn: () => Promise.all(days.map((date) => readDay(date, route, zone))),
  });
  const go = (weeks: number) => address.set({ week: weeks === 0 ? '' : addDays(monday, 7 * weeks) });
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {t('off-work-times.week')}
        </Title>
        <Group gap="xs">
          <RouteChoice
            value={route}
            onChange={(id) => address.set({ route: id === DEFAULT_ROUTE ? '' : id })}
          />
          <Button variant="default" size="compact-sm" onClick={() => go(-1)}>
            {t('off-work-times.earlier')}
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => go(0)}>
            {t('off-work-times.thisWeek')}
          </Button>
          <Button variant="default" size="compact-sm" onClick={() => go(1)}>
            {t('off-work-times.later')}
          </Button>
        </Group>
      </Group>
      {error && <Failure error={error} retry={() => void refetch()} />}
      {data ? (
        <div className={classes.grid}>
          {data.map((day) => (
            <DayRow key={day.date} day={day} zone={zone} />
          ))}
          <span />
          <div className={classes.hours} aria-hidden>
            {HOURS.map((hour) => (
              <span key={hour}>{hour}</span>
            ))}
          </div>
        </div>
      ) : (
        !error && (
          <Stack gap={4} aria-busy="true">
            {days.map((date) => (
              <Skeleton key={date} height={24} />
            ))}
          </Stack>
        )
      )}
      <Group gap="md" mt={4} fz="xs">
        <Legend of="open" label={t('off-work-times.open')} />
        <Legend of="closed" label={t('off-work-times.closed')} />
        <Text size="xs" c="dimmed">
          {t('off-work-times.zone', { zone })}
        </Text>
      </Group>
    </section>
  );
}

function DayRow({ day: { date, closed }, zone }: { readonly day: Day; readonly zone: string }) {
  const { t, i18n } = useTranslation();
  useNow(60_000);
  const wall = { timeZone: 'UTC' } as const;
  const short = new Intl.DateTimeFormat(i18n.language, {
    ...wall,
    weekday: 'short',
    day: 'numeric',
    month: 'numeric',
  });
  const long = new Intl.DateTimeFormat(i18n.language, {
    ...wall,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  });
  const ms = Date.parse(date);
  const times = closed.map(({ from, to, rule }) => `${clockOf(from)}–${clockOf(to)}${rule && ` (${rule})`}`);
  const named = { day: long.format(ms), times: times.join(', ') };
  const words = t(times.length === 0 ? 'off-work-times.dayOpen' : 'off-work-times.dayWords', named);
  const isToday = date === today(zone);
  return (
    <>
      <Text size="sm" className="digits" {...(isToday && { fw: 700 })}>
        {short.format(ms)}
      </Text>
      <div className={classes.day} role="img" aria-label={words}>
        {closed.map(({ from, to, rule }) => (
          <span
            key={`${from} ${rule}`}
            className={classes.closed}
            title={`${clockOf(from)}–${clockOf(to)} ${rule}`}
            style={{ left: percent(from), width: percent(to - from) }}
          >
            <span className={classes.name}>{rule}</span>
          </span>
        ))}
        {isToday && <span className={classes.now} style={{ left: percent(minuteNow(zone)) }} />}
      </div>
    </>
  );
}

const percent = (minutes: number): string => `${(minutes / WHOLE) * 100}%`;

const Legend = ({ of, label }: { readonly of: 'open' | 'closed'; readonly label: string }) => (
  <Group gap={6} component="span">
    <span className={classes.legend} data-state={of} aria-hidden />
    {label}
  </Group>
);

interface RouteChoiceProps {
  readonly value: string;
  readonly onChange: (id: string) => void;
}

/** Rules may apply only to some routes. Hidden if there is only one. */
function RouteChoice({ value, onChange }: RouteChoiceProps) {
  const { t } = useTranslation();
  const routes = useRouteNames();
  if (routes.length === 1) return null;
  const choices = [...routes];
  if (!choices.some((choice) => choice.value === value)) choices.push({ value, label: value });
  return (
    <Select
      size="xs"
      w={200}
      aria-label={t('off-work-times.ofRoute')}
      allowDeselect={false}
      value={value}
      data={choices}
      onChange={(id) => id && onChange(id)}
    />
  );
}
