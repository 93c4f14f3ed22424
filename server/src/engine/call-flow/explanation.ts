import type { DesiredCallFlow, DesiredIncomingRoute, DesiredOffWorkRule } from '../desired-call-flow.ts';
import type { DesiredExtension } from '../desired-state.ts';
import type { QueueMemberStatus } from '../engine.ts';
import type { IncomingCall } from './incoming-fit.ts';
import type { PlannedProvider } from './outbound-plan.ts';

/** Everything that decides where calls go. */
export interface House {
  readonly callFlow: DesiredCallFlow;
  readonly extensions: readonly Extension[];
  /** All stored providers, in the order in which outgoing calls try them. */
  readonly providers: readonly NamedProvider[];
  /** Routes that are stored, but not served. */
  readonly idleRoutes?: readonly IdleRoute[];
  /** Numbers that this menu or queue refers to, which were internal and are nobody's now (contract 25.13). */
  readonly goneNumbers?: (number: string) => readonly string[];
  /** Rules that are passed over because their target is such a number (contract 26.11). */
  readonly goneRules?: readonly DesiredOffWorkRule[];
  /** The exchange's time zone, for times in sentences. */
  readonly timezone: string;
}

export interface NamedProvider extends PlannedProvider {
  readonly description: string;
}

export type Extension = Pick<DesiredExtension, 'number' | 'name' | 'mobile' | 'ringSeconds' | 'forward'>;

export interface IdleRoute {
  readonly route: DesiredIncomingRoute;
  readonly reason: 'disabled' | 'provider disabled';
}

/** An imagined call, to be explained. */
export interface SupposedCall extends IncomingCall {
  /** Milliseconds of the epoch. */
  readonly at: number;
  /** What the caller does in menus, in order: keys, or `t` for a silence. After that he is silent. */
  readonly entries: readonly string[];
  /** The call comes now, so overrides of the opening hours count. */
  readonly isNow: boolean;
  /** State of phones and providers; `undefined`: all are registered and free, and all members of queues take calls. */
  readonly present: Present | undefined;
}

export interface Present {
  readonly isReachable: (number: string) => boolean;
  /** The device state of a queue member; `undefined` = unknown. */
  readonly memberDevice: (queueId: string, number: string) => MemberDevice | undefined;
  /** The longest that a member will still wrap up, in seconds. */
  readonly wrapUpLeft: (queueId: string, number: string) => number;
  /** False: the provider is known to be away. */
  readonly isProviderThere: (id: string) => boolean;
  /** Callers in a queue, by its number. */
  readonly waiting: (queue: string) => number;
}

export type MemberDevice = QueueMemberStatus['device'];

export const STEP_KINDS = [
  'provider',
  'hours',
  'override',
  'route',
  'message',
  'did',
  'menu',
  'queue',
  'employee',
  'forward',
  'mobile',
  'outside',
  'default',
  'loop',
  'end',
] as const;
export type StepKind = (typeof STEP_KINDS)[number];

export interface Step {
  readonly n: number;
  readonly kind: StepKind;
  readonly id: string;
  readonly name: string;
  /** One plain sentence. */
  readonly text: string;
  /** Seconds since the call arrived. */
  readonly after: number;
  /** The actual state of phones and providers was not used. */
  readonly assumed: boolean;
}

export interface Ring {
  readonly number: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly state: string;
  /** The number of the step. */
  readonly via: number;
}

export interface Explanation {
  readonly normalised: string;
  readonly steps: readonly Step[];
  readonly rings: readonly Ring[];
  readonly ends: {
    /** The last station, such as `queue 600`. */
    readonly by: string;
    readonly dialstatus: string;
    /** For the provider; 0 = the line had been answered. */
    readonly sip: number;
  };
  readonly warnings: readonly string[];
}
