import type { EmergencyCall } from './events.ts';

/** The reported fields of an emergency call, spelt as in call records (contract 29.4). */
export const emergencyFacts = ({
  linkedId,
  callerNumber,
  callerName,
  number,
  providerId,
}: EmergencyCall) => ({
  linkedid: linkedId,
  src_num: callerNumber,
  src_name: callerName,
  number,
  provider: providerId,
});
