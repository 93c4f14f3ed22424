import type { OpeningHoursOverride } from '@pbxcore/client';
import i18next from 'i18next';
import { api } from '../../../api/api.ts';
import { messageOf } from '../../../api/errors.ts';
import { ALL } from '../../../ui/whole-table.tsx';

/** What loses a reference when a route is deleted (contract 20.7): rules of the opening hours, and the override. */
interface Named {
  readonly rules: readonly { readonly id: string; readonly name: string }[];
  readonly override: OpeningHoursOverride | undefined;
}

export async function whereNamed(id: string): Promise<Named> {
  const [rules, overrides] = await Promise.all([
    api.offWorkTimes.getList({ limit: ALL }),
    api.offWorkTimes.getOverrides(),
  ]);
  return {
    rules: rules.data.filter(({ incomingRouteIds }) => incomingRouteIds.includes(Number(id))),
    override: overrides.data.find(({ incomingRouteIds }) => incomingRouteIds.includes(Number(id))),
  };
}

/** Restores the references: a restored route has a new id. Resolves to what could not be restored. */
export async function nameAgain({ rules, override }: Named, id: string): Promise<string[]> {
  const failed: string[] = [];
  const attempt = async (what: string, change: () => Promise<unknown>): Promise<void> => {
    try {
      await change();
    } catch (error) {
      failed.push(i18next.t('incoming-routes.notNamedAgain', { what, why: messageOf(error) }));
    }
  };
  // One after the other: each changes the same opening hours.
  for (const { id: ruleId, name } of rules)
    await attempt(name || i18next.t('off-work-times.unnamed', { id: ruleId }), async () => {
      const { incomingRouteIds } = (await api.offWorkTimes.getRecord(ruleId)).data;
      await api.offWorkTimes.patch(ruleId, { incomingRouteIds: [...incomingRouteIds, Number(id)] });
    });
  if (override)
    await attempt(i18next.t('off-work-times.byHand'), () =>
      api.offWorkTimes.override({ ...override, incomingRouteIds: [Number(id)] }),
    );
  return failed;
}
