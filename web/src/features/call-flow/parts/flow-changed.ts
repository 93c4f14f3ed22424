import { queryClient } from '../../../api/query-client.ts';

/** URLs of the lists. */
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

/** One change may show in many places: names of targets, who uses what, free numbers. */
export async function flowChanged(): Promise<void> {
  await Promise.all(RESOURCES.map((resource) => queryClient.invalidateQueries({ queryKey: [resource] })));
}
