import { Group, Text } from '@mantine/core';
import type { Call, CallLeg } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { clockTime } from '../../../ui/time.tsx';
import { readWall, WallTime } from '../../../ui/wall-time.tsx';
import { ApplicationEnd, ApplicationName, applicationStory, isApplication } from './application-leg.tsx';
import { Disposition, Party } from './call-words.tsx';
import classes from './cdr.module.css';
import { RecordingPlayer } from './recording-player.tsx';

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The legs of a call as a time line: who was rung when and for how long, who answered, who talked. */
export function CallLegs({ call }: { readonly call: Call }) {
  const { t } = useTranslation();
  const whole = spanOf(call.records);
  return (
    <ol className={classes.legs} aria-label={t('cdr.legs.label')}>
      {call.records.map((leg) => (
        <li key={leg.id} className={classes.leg}>
          <Group gap="sm" justify="space-between">
            <Group gap="sm">
              <WallTime at={leg.start} only="time" />
              <Text size="sm" component="span">
                <Party number={leg.src_num} name={leg.src_name} /> →{' '}
                {isApplication(leg) ? (
                  <ApplicationName leg={leg} />
                ) : (
                  <Party number={leg.dst_num} name={leg.dst_name} />
                )}
              </Text>
            </Group>
            {isApplication(leg) ? <ApplicationEnd leg={leg} /> : <Disposition value={leg.disposition} />}
          </Group>
          <Track leg={leg} whole={whole} />
          <Text size="sm" c="dimmed">
            <Story leg={leg} />
          </Text>
          {leg.playback_url !== '' && <RecordingPlayer leg={leg} />}
        </li>
      ))}
    </ol>
  );
}

/** From the first ring to the end of the last leg. */
function spanOf(legs: readonly CallLeg[]): Span {
  const begins = legs.flatMap((leg) => readWall(leg.start) ?? []);
  const ends = legs.flatMap((leg) => endOf(leg) ?? []);
  return { from: Math.min(...begins), to: Math.max(...begins, ...ends) };
}

function endOf(leg: CallLeg): number | undefined {
  const begin = readWall(leg.start);
  return readWall(leg.endtime) ?? (begin === undefined ? undefined : begin + leg.duration * 1000);
}

const isAnswered = (leg: CallLeg): boolean => leg.disposition.toUpperCase() === 'ANSWERED';

function Track({ leg, whole }: { readonly leg: CallLeg; readonly whole: Span }) {
  const begin = readWall(leg.start);
  const end = endOf(leg);
  const length = whole.to - whole.from;
  if (begin === undefined || end === undefined || !(length > 0)) return null;
  const answered = isAnswered(leg) && !isApplication(leg) ? (readWall(leg.answer) ?? begin) : end;
  const place = (from: number, to: number) => ({
    left: `${((from - whole.from) / length) * 100}%`,
    width: `${(Math.max(0, to - from) / length) * 100}%`,
  });
  return (
    <div className={classes.track} aria-hidden>
      {answered > begin && <div className={classes.ringing} style={place(begin, answered)} />}
      {end > answered && <div className={classes.talking} style={place(answered, end)} />}
    </div>
  );
}

/** The same in words. */
function Story({ leg }: { readonly leg: CallLeg }) {
  const { t } = useTranslation();
  if (isApplication(leg)) return <>{applicationStory(leg, t).filter(Boolean).join(' · ')}</>;
  const [begin, answer] = [readWall(leg.start), readWall(leg.answer)];
  const rang = isAnswered(leg)
    ? begin !== undefined && answer !== undefined
      ? (answer - begin) / 1000
      : 0
    : leg.duration;
  const parts = [
    leg.transfer === '1' && t('cdr.legs.transferred'),
    rang >= 1 && t('cdr.legs.rang', { time: clockTime(rang) }),
    isAnswered(leg) && t('cdr.legs.talked', { time: clockTime(leg.billsec) }),
    leg.dtmf_digits !== '' && t('cdr.legs.pressed', { digits: leg.dtmf_digits.slice(0, 60) }),
    ['NO COMMON CODEC', 'SRTP MISMATCH'].includes(leg.dialstatus) &&
      t(`cdr.legs.cause.${leg.dialstatus === 'SRTP MISMATCH' ? 'srtp' : 'codec'}`),
  ];
  return <>{parts.filter(Boolean).join(' · ')}</>;
}
