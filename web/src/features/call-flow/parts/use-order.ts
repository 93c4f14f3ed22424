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
 * A list cached under `queryKey`, with a function that changes its order: shown at once, and can be undone. Until the
 * last order is stored, the list is shown in it: lists that arrive meanwhile may be older.
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
  /** Orders are sent one after the other, so that the last one stays. */
  const turn = useRef<Promise<unknown>>(Promise.resolve());
  // Leaving for another screen does not stop it, and errors are shown; closing the window would stop it.
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
      // A running fetch may have been answered before.
      void cache.invalidateQueries({ queryKey });
    }
  }

  /** Resolves to whether the list is in this order now, or in a later one that replaces it. */
  async function order(ids: readonly string[]): Promise<boolean> {
    const before = items?.map(({ id }) => id) ?? [];
    try {
      await store(ids);
      offerUndo(t('call-flow.orderChanged'), () => store(before));
      return true;
    } catch (error) {
      // A later order includes this change.
      if (last.current !== ids) return true;
      warn(t('call-flow.orderLost', { problem: messageOf(error) }));
      return false;
    }
  }

  return { items, order };
}

/** Items that are not named come last, like new ones. */
function inOrder<Item extends Ordered>(items: readonly Item[], ids: readonly string[]): Item[] {
  const places = new Map(ids.map((id, at) => [id, at]));
  const placeOf = ({ id }: Item) => places.get(id) ?? ids.length;
  return [...items].sort((a, b) => placeOf(a) - placeOf(b));
}
