import type { Directory } from '../../telephony/directory/directory.ts';
import { defaultsOf } from '../records/flow-service.ts';
import { DEFAULT_PRIORITY, DEFAULT_ROUTE, incomingRouteFields } from './incoming-route-fields.ts';

const kind = 'incoming-routes';
const NAME = 'Default route';

/**
 * Created once, from the setting that it replaces: calls from outside go where they went before (M1). The setting's
 * target is an extension and stays one while the route leads there: it is not dialled outside if nobody has it.
 */
export async function makeDefaultRoute(directory: Directory, extension: string): Promise<void> {
  if (directory.records.find(kind, DEFAULT_ROUTE)) return;
  await directory.write(async ({ flow }) => {
    if (await flow.find(kind, DEFAULT_ROUTE)) return;
    // Reserves id 1, the lowest; others get higher ones.
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
        // As before routes existed: it rings until the caller gives up.
        timeout: 0,
        priority: DEFAULT_PRIORITY,
      },
      createdAt: flow.now,
      updatedAt: flow.now,
    });
  });
}
