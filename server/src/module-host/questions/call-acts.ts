import type { Act } from '@pbxcore/module/description';
import {
  type Checked,
  type CheckedOriginate,
  type CheckedTransfer,
  readCallId,
  readOriginate,
  readTransfer,
} from '@pbxcore/module/fields';
import type { Clock } from '../../lib/clock.ts';
import { Forbidden, RuleBroken } from '../../lib/errors.ts';
import type { CheckedManifest } from '../description/manifest.ts';
import type { WorkerListener } from '../process/worker-listener.ts';
import { createActBudget } from './act-budget.ts';

/** What the exchange does with calls. Rejects with named errors. */
export interface CallDeeds {
  /** The id of the call, as soon as it rings. */
  originate(order: CheckedOriginate): Promise<string>;
  hangUp(callId: string): Promise<void>;
  transfer(order: CheckedTransfer): Promise<void>;
  isUnderWay(callId: string): boolean;
}

interface CallActParts {
  readonly deeds: CallDeeds;
  readonly clock: Clock;
  readonly log: (module: string) => WorkerListener['log'];
  /** Called after each successful act. */
  readonly acted: (module: string) => void;
}

type Actor = Pick<CheckedManifest, 'id' | 'acts'>;

/** Lets modules act on calls: acts that their manifests name, in valid form, not too often. Each is logged. */
export function createCallActs({ deeds, clock, log, acted }: CallActParts) {
  const budget = createActBudget({ clock, isUnderWay: deeds.isUnderWay });

  /** The order, if the module may give it now. */
  function taken<T>({ id, acts }: Actor, act: Act, { order, problems }: Checked<T>): T {
    if (!acts.includes(act)) throw new Forbidden(`module.json does not name ${act} among its acts`);
    if (problems.length > 0) throw new RuleBroken(problems);
    budget.take(id, act);
    return order;
  }

  /** Logged with the outcome, so that one can find out who ended a call. */
  async function logged<T>(id: string, act: Act, facts: object, work: () => Promise<T>): Promise<T> {
    const note = (outcome: object) => log(id)('info', `acts on calls: ${act}`, { ...facts, ...outcome });
    try {
      const result = await work();
      acted(id);
      note(typeof result === 'string' ? { call: result } : {});
      return result;
    } catch (error) {
      note({ refused: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }

  return {
    async originate(actor: Actor, given: unknown): Promise<string> {
      const order = taken(actor, 'originate', readOriginate(given));
      const { from, to } = order;
      return budget.making(actor.id, () =>
        logged(actor.id, 'originate', { from, to }, () => deeds.originate(order)),
      );
    },
    async hangup(actor: Actor, given: unknown): Promise<void> {
      const call = taken(actor, 'hangup', readCallId(given));
      await logged(actor.id, 'hangup', { call }, () => deeds.hangUp(call));
    },
    async transfer(actor: Actor, callId: unknown, number: unknown, options: unknown): Promise<void> {
      const order = taken(actor, 'transfer', readTransfer(callId, number, options));
      const { callId: call, to, by } = order;
      const facts = { call, to, ...(by !== '' && { by }) };
      await logged(actor.id, 'transfer', facts, () => deeds.transfer(order));
    },
  };
}

export type CallActs = ReturnType<typeof createCallActs>;
