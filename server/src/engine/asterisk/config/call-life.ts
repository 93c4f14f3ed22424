import type { Site } from '../site.ts';
import type { Setting } from './encode.ts';

/**
 * What ends a call whose other side is gone without a word. Sound is missed while nobody holds: then it may be silent, and
 * only the question whether the phone still knows of its call is asked, also of phones that never heard of such questions.
 */
export const silenceRule = ({ silenceSeconds }: Site): Setting[] => [['rtp_timeout', silenceSeconds]];

export const sessionRule = ({ sessionSeconds }: Site): Setting[] =>
  sessionSeconds === 0
    ? [['timers', 'no']]
    : [
        ['timers', 'always'],
        ['timers_sess_expires', sessionSeconds],
      ];
