import type { DesiredCallFlow, DesiredIncomingRoute } from '../../../engine/desired-call-flow.ts';
import type { FlowRecord } from '../../../lib/flow-record.ts';
import { DEFAULT_ROUTE, type IncomingRoute } from './incoming-route-fields.ts';

type RouteRecord = FlowRecord<IncomingRoute>;

interface Surroundings {
  readonly isInService: (providerId: string) => boolean;
  /** Whether a number belongs to an employee, queue or menu. */
  readonly isSomebodys: (number: string) => boolean;
}

/** Stored routes that an engine serves: enabled, with a provider in service (contract 22.4, 22.13). */
export function desiredIncomingRoutes(
  records: readonly RouteRecord[],
  { isInService, isSomebodys }: Surroundings,
): Pick<DesiredCallFlow, 'incomingRoutes'> & Partial<Pick<DesiredCallFlow, 'defaultRoute'>> {
  const byDefault = records.find(({ id }) => id === DEFAULT_ROUTE);
  return {
    incomingRoutes: records
      .filter(({ id }) => id !== DEFAULT_ROUTE)
      .filter(
        ({ values }) => !values.disabled && (values.providerid === 'none' || isInService(values.providerid)),
      )
      .map(desiredRoute)
      .sort((a, b) => a.priority - b.priority || a.id - b.id),
    ...(byDefault && {
      defaultRoute: {
        ...stepOf(byDefault),
        ...(isExtensionOnly(byDefault.values) && !isSomebodys(byDefault.values.extension) && { target: '' }),
        didToExtension: byDefault.values.did_to_extension,
      },
    }),
  };
}

export const desiredRoute = (record: RouteRecord): DesiredIncomingRoute => ({
  ...stepOf(record),
  number: record.values.number,
  match: record.values.match,
  providerId: record.values.providerid === 'none' ? '' : record.values.providerid,
  callers: record.values.callers,
  priority: record.priority,
});

/** The target came from the setting, not the operator: as before routes existed, nobody's number is 404 (M1). */
const isExtensionOnly = ({ extension, from_setting }: IncomingRoute): boolean => extension === from_setting;

const stepOf = ({ id, name, values }: RouteRecord) => ({
  id: Number(id),
  name,
  target: values.extension,
  timeoutSeconds: values.timeout,
  soundId: values.audio_message_id,
});
