import { deliveriesResource } from './deliveries.js';
import { createDeliveryLog } from './delivery-log.js';
import { createSender } from './sender.js';
import { EVENTS, targetsResource } from './targets.js';

const HOUR = 3_600_000;
const TARGETS_MS = 2_000;

/** @param {import('@pbxcore/module').Context} context @returns {import('@pbxcore/module').ModuleDefinition} */
export default function webhookSender(context) {
  const records = context.records('targets');
  const log = createDeliveryLog(context.sql);
  const sender = createSender({ context, log, findTarget: (id) => records.get(id) });

  async function allTargets() {
    const found = [];
    for await (const target of records.each()) found.push(target);
    return found;
  }

  let targets = { list: undefined, readAt: 0 };
  /** A flood of bans must not cause a flood of reads; other nodes' changes are seen soon enough. */
  function currentTargets() {
    if (!targets.list || Date.now() - targets.readAt > TARGETS_MS)
      targets = { list: allTargets(), readAt: Date.now() };
    return targets.list;
  }
  const forget = () => {
    targets = { list: undefined, readAt: 0 };
  };

  async function tell(event, data) {
    for (const target of await currentTargets().catch(failed))
      if (target.enabled && target.events?.includes(event)) sender.send(event, target, data);
  }

  function failed(error) {
    forget();
    throw error;
  }

  return {
    resources: [
      targetsResource({ context, sender, log, changed: forget }),
      deliveriesResource({ sender, log }),
    ],
    start() {
      for (const event of EVENTS) context.on(event, (data) => tell(event, data));
      const sweep = () => log.sweep(Date.now() - (context.settings.keep_days ?? 14) * 24 * HOUR);
      sweep();
      context.schedule.every(HOUR, sweep);
      sender.resume();
    },
  };
}
