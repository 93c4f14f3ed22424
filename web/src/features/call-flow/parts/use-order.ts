import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { offerUndo, sayFailed } from '../../../ui/undo.tsx';

interface Ordered {
  readonly id: string;
  readonly priority: number;
}

/** Stores a new order of a list that is kept under `queryKey`: it is seen at once, and can be taken back. */
export function useOrder<Item extends Ordered>(
  queryKey: readonly unknown[],
  changePriority: (priorities: Record<string, number>) => Promise<unknown>,
) {
  const { t } = useTranslation();
  const cache = useQueryClient();

  async function store(ids: readonly string[]): Promise<void> {
    const before = cache.getQueryData<readonly Item[]>(queryKey);
    const byId = new Map(before?.map((item) => [item.id, item]));
    const priorities = Object.fromEntries(ids.map((id, at) => [id, at + 1]));
    cache.setQueryData(
      queryKey,
      ids.flatMap((id) => {
        const item = byId.get(id);
        return item ? [{ ...item, priority: priorities[id] }] : [];
      }),
    );
    try {
      await changePriority(priorities);
    } catch (error) {
      cache.setQueryData(queryKey, before);
      throw error;
    } finally {
      void cache.invalidateQueries({ queryKey });
    }
  }

  return async (ids: readonly string[]): Promise<void> => {
    const before = cache.getQueryData<readonly Item[]>(queryKey)?.map(({ id }) => id) ?? [];
    try {
      await store(ids);
      offerUndo(t('call-flow.orderChanged'), () => store(before));
    } catch (error) {
      sayFailed(error);
    }
  };
}
