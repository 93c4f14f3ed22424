import type { StatusSource } from '../../../store/events/status-teller.ts';
import type { HoursService, SwitchRecord } from './hours.service.ts';

/** The switch of the opening hours as published (contract 29.4, 30). */
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
    // Rules that open or close the line do not change the switch.
    comparableOf: (record) => comparableOf(record as SwitchRecord),
  };
}

const comparableOf = ({ override, incomingRouteIds }: SwitchRecord) => ({ override, incomingRouteIds });
