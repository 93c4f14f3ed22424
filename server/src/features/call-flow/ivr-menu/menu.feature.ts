import type { Kysely } from 'kysely';
import type { DesiredCallFlow, DesiredMenu } from '../../../engine/desired-call-flow.ts';
import { custom, described, type Field, FieldProblem } from '../../../http/fields.ts';
import { reads, route } from '../../../http/route.ts';
import { RuleBroken } from '../../../lib/errors.ts';
import { type FlowRecord, isGone } from '../../../lib/flow-record.ts';
import { createMadeOnce } from '../../../lib/made-once.ts';
import { readWallTime, type WallMoment } from '../../../lib/zoned-time.ts';
import type { Database } from '../../../store/sql/schema.ts';
import type { FlowFeature, FlowParts } from '../records/flow-feature.ts';
import { wordId } from '../records/flow-routes.ts';
import { MenuStats, type MenuValues, menuResource } from './menu.schema.ts';
import { menuKind } from './menu.ts';
import { countOutcomes, readOutcomes } from './menu-stats.ts';

interface MenuParts {
  readonly db: Kysely<Database>;
  readonly timezone: string;
}

/** Menus (contract 25). */
export function createMenus(
  { telephony, isSomebodys, numbersNow, declare }: FlowParts,
  { db, timezone }: MenuParts,
): FlowFeature {
  const madeOnce = createMadeOnce<Pick<DesiredCallFlow, 'menus'>>();
  const { service, routes } = declare(menuKind);
  const moment = (description: string): Field<WallMoment> =>
    described(
      custom({ type: 'string', examples: ['2026-03-01'] }, (value) => {
        const read = readWallTime(String(value), timezone);
        if (!read) throw new FieldProblem('must have the format YYYY-MM-DDTHH:MM:SS or YYYY-MM-DD');
        return read;
      }),
      description,
    );

  return {
    routes: [
      ...routes,
      route({
        method: 'GET',
        path: '/ivr-menu/{id}:getStats',
        function: 'getStats',
        access: reads(menuResource),
        summary: 'Count what callers did in a menu',
        id: wordId,
        find: service.find,
        query: {
          dateFrom: moment('From this time on; a date means the start of the day'),
          dateTo: moment('Up to and including this second or day'),
        },
        answer: MenuStats,
        errors: [422],
        async handle({ found, query: { dateFrom, dateTo } }) {
          const end = dateTo.wall + dateTo.spanMs - 1;
          if (end < dateFrom.wall) throw new RuleBroken('dateTo: must not be before dateFrom');
          const span = { from: dateFrom.wall, to: end };
          const [outcomes] = await Promise.all([
            readOutcomes(db, telephony.legs, found.number, span),
            telephony.employees.settle(),
          ]);
          const { actions, allow_enter_any_internal_extension: allowsAll } = found.values;
          return countOutcomes(
            outcomes,
            actions.map(({ digits }) => digits),
            (digits) => allowsAll && telephony.employees.byNumber(digits) !== undefined,
          );
        },
      }),
    ],
    desired: () =>
      madeOnce(numbersNow(), () => ({
        menus: (telephony.directory.records.all('ivr-menu') as readonly FlowRecord<MenuValues>[]).map(
          (menu) => desiredMenu(menu, (number) => isGone(menu, number, isSomebodys)),
        ),
      })),
  };
}

/** A key whose target is gone is a wrong entry; without a target for silence the call ends (contract 25.13). */
function desiredMenu(
  { id, values: menu }: FlowRecord<MenuValues>,
  isGone: (number: string) => boolean,
): DesiredMenu {
  const there = (target: string): string => (isGone(target) ? '' : target);
  const onTimeout = there(menu.timeout_extension) || 'hangup';
  return {
    id,
    number: menu.extension,
    name: menu.name,
    soundId: menu.audio_message_id,
    timeoutSeconds: menu.timeout,
    repeats: menu.number_of_repeat,
    onTimeout,
    onInvalid: there(menu.invalid_extension) || onTimeout,
    timeoutSoundId: menu.timeout_audio_message_id,
    invalidSoundId: menu.invalid_audio_message_id,
    isDirect: menu.allow_enter_any_internal_extension,
    actions: menu.actions
      .filter(({ extension }) => !isGone(extension))
      .map(({ digits, extension }) => ({ digits, target: extension })),
  };
}
