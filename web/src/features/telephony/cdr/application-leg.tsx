import type { CallLeg } from '@pbxcore/client';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { Status, type Tone } from '../../../ui/status.tsx';
import { clockTime } from '../../../ui/time.tsx';
import { Disposition, Party } from './call-words.tsx';

const KINDS: ReadonlySet<string> = new Set(['ivr', 'queue', 'announce', 'offwork']);
const ENDS: Readonly<Record<string, Tone>> = {
  ANSWER: 'good',
  CONTINUE: 'off',
  TIMEOUT: 'warning',
  INVALID: 'warning',
  CANCEL: 'warning',
  ABANDON: 'warning',
  EMPTY: 'busy',
  FULL: 'busy',
};

/** A leg of the exchange itself: a menu, a queue, a message. */
export const isApplication = (leg: CallLeg): boolean => leg.is_app === '1';

/** `Menu 700 Main`. Unknown words, from other tools that write records, are shown as they are. */
export function ApplicationName({ leg }: { readonly leg: CallLeg }) {
  const { t } = useTranslation();
  const kind = KINDS.has(leg.appname)
    ? t(`cdr.application.${leg.appname}`)
    : leg.appname || t('cdr.application.other');
  return (
    <span>
      <bdi>{kind.slice(0, 80)}</bdi>
      {leg.dst_num + leg.dst_name !== '' && (
        <>
          {' '}
          <Party number={leg.dst_num} name={leg.dst_name} />
        </>
      )}
    </span>
  );
}

/** How the caller left it. That no person answered there means nothing. */
export function ApplicationEnd({ leg }: { readonly leg: CallLeg }) {
  const { t } = useTranslation();
  const tone = Object.hasOwn(ENDS, leg.dialstatus) ? ENDS[leg.dialstatus] : undefined;
  if (!tone) return <Disposition value={leg.disposition} />;
  return <Status tone={tone} label={t(`cdr.application.end.${leg.dialstatus}`)} />;
}

/** The same in words: the duration, and the keys pressed in a menu. */
export function applicationStory(leg: CallLeg, t: TFunction): (string | false)[] {
  const time = clockTime(leg.duration);
  return [
    leg.duration >= 1 &&
      t(leg.appname === 'queue' ? 'cdr.application.waited' : 'cdr.application.lasted', { time }),
    leg.dtmf_digits !== '' && t('cdr.application.entered', { entries: entriesOf(leg.dtmf_digits, t) }),
  ];
}

/** Contract 25.10: digits, `t` if nothing came in time, `i` if the entry before leads nowhere. */
const entriesOf = (entered: string, t: TFunction): string =>
  entered
    .slice(0, 60)
    .split(',')
    .map((entry) =>
      entry === 't' ? t('cdr.application.nothing') : entry === 'i' ? t('cdr.application.wrong') : entry,
    )
    .join(', ');
