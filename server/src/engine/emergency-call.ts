import type { EmergencyCall } from './events.ts';

/** What is told of an emergency call, spelt as call records are (contract 29.4). */
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
