import { queryClient } from '../../../api/query-client.ts';

/** Addresses of the lists. */
export type FlowList =
  | '/incoming-routes'
  | '/outbound-routes'
  | '/menus'
  | '/queues'
  | '/opening-hours'
  | '/sounds';

const RESOURCES = [
  'incoming-routes',
  'outbound-routes',
  'ivr-menu',
  'call-queues',
  'off-work-times',
  'sound-files',
  'extensions',
];

/** One change may be seen in many places: names of targets, who uses what, numbers that are free. */
export async function flowChanged(): Promise<void> {
  await Promise.all(RESOURCES.map((resource) => queryClient.invalidateQueries({ queryKey: [resource] })));
}
