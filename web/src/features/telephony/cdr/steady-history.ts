import type { Call } from '@pbxcore/client';
import { useEffect, useState } from 'react';

export interface CallList {
  readonly calls: readonly Call[];
  readonly total: number;
}

/** Whether it has calls that would move those shown. If some were deleted, the shown list is not kept. */
function hasMore(shown: CallList, latest: CallList): boolean {
  const known = new Set(shown.calls.map(({ linkedid }) => linkedid));
  const fresh = latest.calls.filter(({ linkedid }) => !known.has(linkedid)).length;
  return fresh > 0 && latest.total - shown.total >= fresh;
}

interface Steady {
  readonly list: CallList | undefined;
  /** Number of ended calls that are not shown yet. */
  readonly waiting: number;
  readonly show: () => void;
}

/**
 * Rows do not move while they are read: as long as somebody is among them, newly ended calls wait until they are
 * requested. `asked` identifies the query of the list: another query is shown at once.
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
