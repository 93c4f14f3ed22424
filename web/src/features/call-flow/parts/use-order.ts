import { useQueryClient } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { messageOf } from '../../../api/errors.ts';
import { offerUndo, warn } from '../../../ui/undo.tsx';

interface Ordered {
  readonly id: string;
}

/**
 * A list that is kept under `queryKey`, and a way to put it in another order: it is seen at once, and can be taken back.
 * Until the last order is stored, the list is shown in it: lists that arrive meanwhile may be older than what was pressed.
 */
export function useOrder<Item extends Ordered>(
  queryKey: readonly unknown[],
  stored: readonly Item[] | undefined,
  changePriority: (priorities: Record<string, number>) => Promise<unknown>,
) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const [wanted, setWanted] = useState<readonly string[]>();
  const last = useRef<readonly string[]>(undefined);
  /** Each order is sent after the one before it: the last one pressed is the one that stays. */
  const turn = useRef<Promise<unknown>>(Promise.resolve());
  // On other screens it is still stored, and told when it is not; a closed window would end it.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: () => wanted !== undefined });
  const items = stored && wanted ? inOrder(stored, wanted) : stored;

  async function store(ids: readonly string[]): Promise<void> {
    last.current = ids;
    setWanted(ids);
    const priorities = Object.fromEntries(ids.map((id, at) => [id, at + 1]));
    const written = turn.current.then(() => changePriority(priorities));
    turn.current = written.catch(() => {});
    try {
      await written;
      cache.setQueryData<readonly Item[]>(queryKey, (known) => known && inOrder(known, ids));
    } finally {
      if (last.current === ids) setWanted(undefined);
      // What is being read now may have been answered before.
      void cache.invalidateQueries({ queryKey });
    }
  }

  /** Resolves to whether the list is in this order now, or in a later one that takes its place. */
  async function order(ids: readonly string[]): Promise<boolean> {
    const before = items?.map(({ id }) => id) ?? [];
    try {
      await store(ids);
      offerUndo(t('call-flow.orderChanged'), () => store(before));
      return true;
    } catch (error) {
      // A later order has this change in it too.
      if (last.current !== ids) return true;
      warn(t('call-flow.orderLost', { problem: messageOf(error) }));
      return false;
    }
  }

  return { items, order };
}

/** Who is not named comes last, as it does when it is new. */
function inOrder<Item extends Ordered>(items: readonly Item[], ids: readonly string[]): Item[] {
  const places = new Map(ids.map((id, at) => [id, at]));
  const placeOf = ({ id }: Item) => places.get(id) ?? ids.length;
  return [...items].sort((a, b) => placeOf(a) - placeOf(b));
}
