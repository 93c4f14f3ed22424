import type { ActiveLeg, Engine } from '../../engine/engine.ts';
import type { EngineView } from '../../engine/engine-view.ts';
import { Conflict, EngineAway, NotFound } from '../../lib/errors.ts';
import type { CallDeeds } from '../../module-host/questions/call-acts.ts';
import type { EmployeeDirectory } from './employees/employee-directory.ts';

interface CallDeedParts {
  readonly engine: Pick<Engine, 'activeCalls' | 'originate' | 'hangUp' | 'transfer'>;
  /** Of this node's own engine; `undefined` when it has none. */
  readonly view: Pick<EngineView, 'current' | 'hasEngine' | 'refresh'> | undefined;
  readonly employees: Pick<EmployeeDirectory, 'settle' | 'byNumber'>;
  readonly emergencyNumbers: readonly string[];
}

/** What modules may do with calls (contract 9.6), on the node with the engine. */
export function createCallDeeds({ engine, view, employees, emergencyNumbers }: CallDeedParts): CallDeeds {
  /** The latest snapshot; throws if the engine cannot be reached. */
  function known() {
    if (!view?.hasEngine()) throw new EngineAway('this node has no telephony engine');
    const snapshot = view.current();
    if (snapshot.awaySince !== undefined) throw new EngineAway('the telephony engine cannot be reached');
    return snapshot;
  }

  const hasPhone = (number: string): boolean =>
    known()
      .extensions.get(number)
      ?.devices.some(({ reach }) => reach !== 'unreachable') === true;

  /** Compares the numbers too: the call may be older than whatever marks it, or a call back. */
  const isForHelp = ({ isEmergency, source, destination }: ActiveLeg): boolean =>
    isEmergency === true || [source, destination].some(({ number }) => emergencyNumbers.includes(number));

  /** No program may cut off an emergency call. Asks the engine itself: the snapshot may be a moment old. */
  async function refuseOthers(callId: string): Promise<void> {
    known();
    const legs = (await engine.activeCalls()).filter(({ linkedId }) => linkedId === callId);
    if (legs.length === 0) throw new NotFound(`call ${callId} not found`);
    if (legs.some(isForHelp)) throw new Conflict('this is a call with an emergency number');
  }

  return {
    async originate(order) {
      known();
      await employees.settle();
      const { from } = order;
      if (!employees.byNumber(from)) throw new NotFound(`extension ${from} not found`);
      // A phone that registered a moment ago may not be reported yet.
      if (!hasPhone(from)) await view?.refresh();
      if (!hasPhone(from)) throw new Conflict(`no phone of ${from} is registered`);
      return engine.originate(order);
    },
    async hangUp(callId) {
      await refuseOthers(callId);
      await engine.hangUp(callId);
    },
    async transfer(order) {
      await refuseOthers(order.callId);
      await engine.transfer(order);
    },
    isUnderWay: (callId) =>
      [...(view?.current().legs.values() ?? [])].some(({ linkedId }) => linkedId === callId),
  };
}
