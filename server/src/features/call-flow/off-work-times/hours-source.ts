import type { StatusSource } from '../../../store/events/status-teller.ts';
import type { HoursService, SwitchRecord } from './hours.service.ts';

/** What the switch of the opening hours is set to, as it is told to whoever follows it (contract 29.4, 30). */
export function hoursSource(
  hours: Pick<HoursService, 'settle' | 'switches' | 'stateNow'>,
  isOurs: () => boolean,
): StatusSource {
  return {
    topic: 'hours',
    event: 'hours-changed',
    async read() {
      if (!isOurs()) return undefined;
      await hours.settle();
      return new Map(
        [...hours.switches()].map(([routes, record]) => [
          routes,
          { record, comparable: comparableOf(record) },
        ]),
      );
    },
    gone(_, last) {
      const { incomingRouteIds } = last as SwitchRecord;
      return { ...hours.stateNow(incomingRouteIds), override: null, incomingRouteIds };
    },
    // That the rules open or close the line is no change of the switch.
    comparableOf: (record) => comparableOf(record as SwitchRecord),
  };
}

const comparableOf = ({ override, incomingRouteIds }: SwitchRecord) => ({ override, incomingRouteIds });
