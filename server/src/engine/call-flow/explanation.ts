import type { DesiredCallFlow, DesiredIncomingRoute, DesiredOffWorkRule } from '../desired-call-flow.ts';
import type { DesiredExtension } from '../desired-state.ts';
import type { QueueMemberStatus } from '../engine.ts';
import type { IncomingCall } from './incoming-fit.ts';
import type { PlannedProvider } from './outbound-plan.ts';

/** What decides where calls go. */
export interface House {
  readonly callFlow: DesiredCallFlow;
  readonly extensions: readonly Extension[];
  /** All that are stored, in the order in which calls out try them. */
  readonly providers: readonly NamedProvider[];
  /** Routes that are stored and not served. */
  readonly idleRoutes?: readonly IdleRoute[];
  /** What the menu or queue of this number names, was a number of the house and is nobody's now (contract 25.13). */
  readonly goneNumbers?: (number: string) => readonly string[];
  /** Rules that are passed over since their target is one of these (contract 26.11). */
  readonly goneRules?: readonly DesiredOffWorkRule[];
  /** Of the exchange, for the moments in sentences. */
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

/** A call that nobody makes. */
export interface SupposedCall extends IncomingCall {
  /** Milliseconds of the epoch. */
  readonly at: number;
  /** What the caller does in menus, one entry after the other: keys, or `t` for a silence. Then he is silent. */
  readonly entries: readonly string[];
  /** It comes now, so overrides of the opening hours count. */
  readonly isNow: boolean;
  /** How phones and providers are; `undefined`: all are registered and free, and all members of queues take calls. */
  readonly present: Present | undefined;
}

export interface Present {
  readonly isReachable: (number: string) => boolean;
  /** Of a member of a queue; `undefined` = nothing is known of it. */
  readonly memberDevice: (queueId: string, number: string) => MemberDevice | undefined;
  /** Seconds that a member wraps up yet, at the most. */
  readonly wrapUpLeft: (queueId: string, number: string) => number;
  /** False: it is known to be away. */
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
  /** Seconds since the call came. */
  readonly after: number;
  /** The present state was not used. */
  readonly assumed: boolean;
}

export interface Ring {
  readonly number: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly state: string;
  /** The step. */
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
