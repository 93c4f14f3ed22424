import type { Call } from '@pbxcore/client';
import { useEffect, useState } from 'react';

export interface CallList {
  readonly calls: readonly Call[];
  readonly total: number;
}

/** Whether it has calls that would move those shown. Where some are gone, there is nothing to keep in its place. */
function hasMore(shown: CallList, latest: CallList): boolean {
  const known = new Set(shown.calls.map(({ linkedid }) => linkedid));
  const fresh = latest.calls.filter(({ linkedid }) => !known.has(linkedid)).length;
  return fresh > 0 && latest.total - shown.total >= fresh;
}

interface Steady {
  readonly list: CallList | undefined;
  /** So many calls have ended that are not shown yet. */
  readonly waiting: number;
  readonly show: () => void;
}

/**
 * Rows do not move under the reader: while somebody is among them, calls that end meanwhile wait until they are asked for.
 * `asked` names what the list is about: another question is answered at once.
 */
export function useSteadyHistory(latest: CallList | undefined, asked: string, isRead: () => boolean): Steady {
  const [kept, setKept] = useState<{ readonly asked: string; readonly list: CallList }>();
  const isSame = kept?.asked === asked;
  // biome-ignore lint/correctness/useExhaustiveDependencies: decided when an answer comes, by where the reader is then
  useEffect(() => {
    if (!latest || (isSame && hasMore(kept.list, latest) && isRead())) return;
    setKept({ asked, list: latest });
  }, [latest, asked]);
  const list = isSame ? kept.list : latest;
  return {
    list,
    waiting: list && latest ? Math.max(0, latest.total - list.total) : 0,
    show: () => latest && setKept({ asked, list: latest }),
  };
}
