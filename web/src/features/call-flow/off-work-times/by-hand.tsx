import { Button, Group, Text } from '@mantine/core';
import type { OpeningHoursOverride } from '@pbxcore/client';
import { useTranslation } from 'react-i18next';
import { useRouteNames } from './use-route-names.ts';
import { wallWords } from './wall-words.ts';

interface ByHandProps {
  readonly overrides: readonly OpeningHoursOverride[];
  /** By the switch for all calls, shown beside it. */
  readonly canBeReplaced: boolean;
  readonly busy: boolean;
  /** Without routes: the override for all of them. */
  readonly onEnd: (incomingRouteIds: number[]) => void;
}

/** Overrides for all calls or for some routes, each with a button to return to the rules. */
export function ByHand({ overrides, canBeReplaced, busy, onEnd }: ByHandProps) {
  const { t } = useTranslation();
  return (
    <>
      <ul className="plain-list" aria-label={t('off-work-times.byHand')}>
        {overrides.map((override) => {
          const { mode, incomingRouteIds } = override;
          const endsAll = incomingRouteIds.length === 0 && overrides.length > 1;
          return (
            <Group key={incomingRouteIds.join()} component="li" justify="space-between" mt="xs">
              <Words override={override} />
              {mode !== 'auto' && (
                <Button loading={busy} onClick={() => onEnd(incomingRouteIds)}>
                  {t(endsAll ? 'off-work-times.allToRules' : 'off-work-times.toRules')}
                </Button>
              )}
            </Group>
          );
        })}
      </ul>
      {canBeReplaced && (
        <Text size="xs" c="dimmed" mt="xs">
          {t('off-work-times.replacesHint')}
        </Text>
      )}
    </>
  );
}

function Words({ override: { mode, until, incomingRouteIds } }: { readonly override: OpeningHoursOverride }) {
  const { t, i18n } = useTranslation();
  const names = useRouteNames();
  const what =
    until === ''
      ? t(`off-work-times.override.${mode}`)
      : t(`off-work-times.override.${mode}Until`, { when: wallWords(until, i18n.language) });
  const routes = incomingRouteIds.map(
    (id) => names.find(({ value }) => value === String(id))?.label ?? String(id),
  );
  return (
    <Text size="sm" className="any-break" role="status" flex={1} miw={220}>
      {routes.length > 0 && (
        <b>
          <bdi>{new Intl.ListFormat(i18n.language).format(routes)}</bdi>:{' '}
        </b>
      )}
      {what}
    </Text>
  );
}
