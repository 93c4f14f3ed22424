import { Text } from '@mantine/core';
import type { IncomingRoute } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { useTargetWords } from '../parts/target-words.ts';
import { ANY_PROVIDER } from './route-fields.ts';

const MOST_CALLERS = 3;

/** A route's effect, in one sentence of the reader's language. */
export function RouteSentence({ route }: { readonly route: IncomingRoute }) {
  const { t } = useTranslation();
  const words = useTargetWords();
  const { number, match, providerid, callers, extension, timeout } = route;
  const who = callers
    .slice(0, MOST_CALLERS)
    .map((caller) => (caller === 'anonymous' ? t('incoming-routes.anonymous') : caller))
    .join(', ');
  const more = callers.length - MOST_CALLERS;
  const parts = [
    t(number === '' ? 'incoming-routes.says.any' : `incoming-routes.says.${match}`, { number }),
    providerid === ANY_PROVIDER
      ? ''
      : t('incoming-routes.says.over', { provider: route.providerid_represent }),
    callers.length === 0
      ? ''
      : t('incoming-routes.says.from', {
          callers: more > 0 ? t('incoming-routes.says.more', { who, count: more }) : who,
        }),
  ];
  const target = words(extension, route.extension_represent);
  const isLimited = /\d|did2user/.test(extension) && timeout > 0;
  const after = isLimited ? t('incoming-routes.says.within', { count: timeout }) : '';
  const sound = route.audio_message_id_represent;
  return (
    <Text size="sm" className="any-break" component="span">
      {parts.filter((part) => part !== '').join(' ')}
      {' → '}
      {sound !== '' && `${t('incoming-routes.says.sound', { sound })} → `}
      <b>
        <bdi>{extension === '' ? t('incoming-routes.refused') : target}</bdi>
      </b>
      {after && ` ${after}`}
    </Text>
  );
}
