import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../../lib/clock.ts';
import { Conflict, EngineAway, NotFound, RuleBroken } from '../../../lib/errors.ts';
import { handingOver, type OriginateOrder, type TransferOrder } from '../../call-orders.ts';
import type { DesiredState } from '../../desired-state.ts';
import type { ActiveLeg, Engine } from '../../engine.ts';
import type { EngineEvent } from '../../events.ts';
import { plainText } from '../config/encode.ts';
import { type Ami, AmiRefused } from '../control/ami.ts';
import { carried } from '../dialplan/contexts.ts';
import { encodedText, ROOM } from '../dialplan/journal-format.ts';
import { accountOf } from '../journal/leg.ts';
import type { Site } from '../site.ts';

interface CallOrderParts {
  readonly ami: Pick<Ami, 'action'>;
  readonly activeCalls: () => Promise<readonly ActiveLeg[]>;
  /** The state that the engine serves, for names of callers and callees. */
  readonly served: () => DesiredState | undefined;
  readonly site: Pick<Site, 'systemName'>;
  readonly clock: Clock;
  /** How long to wait for the first sign of an ordered call. */
  readonly beginsMs?: number;
  /** Pause between two checks whether an inner channel is still there. */
  readonly lookMs?: number;
}

const EXTENSION = /^\d{1,20}$/;
const DIALLED = /^\+?[\d*#]{1,40}$/;
/** Names as the engine gives them, with nothing that it would take for a pattern. */
const CHANNEL = /^[A-Za-z]+\/[\w+.@*#;-]{1,200}$/;
const NORMAL = '16';
const BEGINS_MS = 10_000;
const LOOK_MS = 50;
const LOOKS = 40;
/** Either end of the channel by which a queue reaches its member. */
const INNER = /^Local\/[^@]*@pbx-member-/;
/** The engine's own ids count from 0 at each start: ours begin where it never gets. */
const OWN_IDS = { from: 1_000_000_000, to: 10_000_000_000 } as const;

/**
 * Orders on calls, over the control connection. Only dialable numbers, extensions, and channels that the engine named
 * itself are sent there.
 */
export function createCallOrders(parts: CallOrderParts) {
  const { ami, activeCalls, served, site, clock, beginsMs = BEGINS_MS, lookMs = LOOK_MS } = parts;
  const begun = new Map<string, () => void>();

  /** Known before the engine is asked, and different from all others. */
  const newId = () =>
    `${site.systemName}-${Math.floor(clock.now() / 1000)}.${randomInt(OWN_IDS.from, OWN_IDS.to)}`;

  async function toldOf(linkedId: string, order: () => Promise<unknown>): Promise<void> {
    const told = Promise.withResolvers<void>();
    const late = () => told.reject(new EngineAway('the telephony engine did not start the call'));
    const timer = setTimeout(late, beginsMs).unref();
    begun.set(linkedId, told.resolve);
    try {
      await Promise.all([told.promise, order()]);
    } finally {
      clearTimeout(timer);
      begun.delete(linkedId);
    }
  }

  async function originate({ from, to, ringSeconds }: OriginateOrder): Promise<string> {
    must(from, EXTENSION, 'from');
    must(to, DIALLED, 'to');
    const names = namesOf(served());
    const [caller = '', called = ''] = [from, to].map((number) =>
      plainText(names.get(number) ?? '', ROOM.name),
    );
    const [callId, otherId] = [newId(), newId()];
    const seconds = Math.trunc(ringSeconds);
    const order = ami.action.bind(ami, 'Originate', {
      Channel: `Local/${from}@pbx-originate/n`,
      ChannelId: callId,
      OtherChannelId: otherId,
      // Never reached: the end that rings phones hands them over and goes.
      Application: 'Hangup',
      Timeout: String((seconds + 10) * 1000),
      Async: 'true',
      Variable: [
        `PBX_TO=${to}`,
        `PBX_SECONDS=${seconds}`,
        `PBX_FROM_NAME=${encodedText(caller)}`,
        `PBX_TO_NAME=${encodedText(called)}`,
        `PBX_SHOWN=${carried(called)}`,
      ].join(','),
    });
    try {
      await toldOf(callId, order);
    } catch (error) {
      // A remote engine, whose account for us may lack the right to do it.
      if (error instanceof AmiRefused) throw new EngineAway(`the telephony engine refused: ${error.message}`);
      throw error;
    }
    return callId;
  }

  async function hangUp(linkedId: string): Promise<void> {
    const legs = (await activeCalls()).filter((leg) => leg.linkedId === linkedId);
    if (legs.length === 0) throw new NotFound(`call ${linkedId} not found`);
    // A party that is only rung, or is no person, goes with the caller.
    const channels = legs.flatMap(({ source, destination, answeredAt, isApplication }) =>
      answeredAt === null || isApplication ? source.channel : [source.channel, destination.channel],
    );
    for (const Channel of new Set(channels.filter((channel) => CHANNEL.test(channel))))
      await ami.action('Hangup', { Channel, Cause: NORMAL }).catch((error) => {
        // The call is over by now.
        if (!(error instanceof AmiRefused)) throw error;
      });
  }

  /**
   * A queue and its member are joined by an inner channel, which the engine removes as soon as both talk: a transfer
   * before that would move this channel instead of the caller. The one to an outside member stays.
   */
  async function isJoined({ queue, destination }: ActiveLeg, channel: string): Promise<boolean> {
    if (queue === undefined || accountOf(destination.channel).number === '') return true;
    for (let look = 0; look < LOOKS; look++) {
      const { Value = '' } = await ami.action('Getvar', { Channel: channel, Variable: 'BRIDGEPEER' });
      if (!INNER.test(Value)) return true;
      await wait(lookMs);
    }
    return false;
  }

  async function transfer(order: TransferOrder): Promise<void> {
    must(order.to, DIALLED, 'to');
    const extensionOf = (channel: string) => accountOf(channel).number;
    const { leg, side } = handingOver(await activeCalls(), order, extensionOf);
    const Channel = leg[side].channel;
    const notNow = () => new Conflict(`the call ${order.callId} cannot be handed over now`);
    try {
      if (!(await isJoined(leg, Channel))) throw notNow();
      await ami.action('BlindTransfer', { Channel, Context: 'from-employee', Exten: order.to });
    } catch (error) {
      throw error instanceof AmiRefused ? notNow() : error;
    }
  }

  return {
    originate,
    hangUp,
    transfer,
    /** Takes every event that is reported. */
    noted(event: EngineEvent): void {
      if (event.type === 'leg-started') begun.get(event.leg.linkedId)?.();
    },
  } satisfies Pick<Engine, 'originate' | 'hangUp' | 'transfer'> & { noted(event: EngineEvent): void };
}

function must(value: string, form: RegExp, field: string): void {
  if (!form.test(value)) throw new RuleBroken(`${field}: is not a number`);
}

function namesOf(state: DesiredState | undefined): ReadonlyMap<string, string> {
  const { extensions = [], callFlow } = state ?? {};
  const named = [...(callFlow?.menus ?? []), ...(callFlow?.queues ?? []), ...extensions];
  return new Map(named.map(({ number, name }) => [number, name]));
}
