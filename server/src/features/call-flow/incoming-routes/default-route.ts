import type { Directory } from '../../telephony/directory/directory.ts';
import { defaultsOf } from '../records/flow-service.ts';
import { DEFAULT_PRIORITY, DEFAULT_ROUTE, incomingRouteFields } from './incoming-route-fields.ts';

const kind = 'incoming-routes';
const NAME = 'Default route';

/**
 * Made once, from the setting that it takes the place of: calls from outside go where they went before (M1). What was said by
 * the setting is an extension and stays one as long as the route leads there: it is not dialled outside when nobody has it.
 */
export async function makeDefaultRoute(directory: Directory, extension: string): Promise<void> {
  if (directory.records.find(kind, DEFAULT_ROUTE)) return;
  await directory.write(async ({ flow }) => {
    if (await flow.find(kind, DEFAULT_ROUTE)) return;
    // The first id of all; others have higher ones.
    await flow.nextId(kind);
    await flow.insert({
      kind,
      id: DEFAULT_ROUTE,
      number: '',
      name: NAME,
      priority: DEFAULT_PRIORITY,
      values: {
        ...defaultsOf(incomingRouteFields),
        rulename: NAME,
        extension,
        from_setting: extension,
        // As before there were routes: it rings until the caller gives up.
        timeout: 0,
        priority: DEFAULT_PRIORITY,
      },
      createdAt: flow.now,
      updatedAt: flow.now,
    });
  });
}
