import type { CallClass } from '../lib/caller-id.ts';
import type { MemberState } from '../lib/member-state.ts';

/**
 * Where calls go (contract 20 to 27), as an engine has to serve it. Explaining a call (28) reads the same model, so
 * explanation and behaviour have one source.
 *
 * A target (contract 21) is a number, with or without `+`, or one of the words `hangup`, `busy`, `did2user`,
 * `voicemail`; `''` is none. A sound is given by its id, `''` is none; one without audio is not among `sounds` and
 * counts as none.
 */
export interface DesiredCallFlow {
  readonly numbering: Numbering;
  /** Can be called from every phone (contract 23.10). */
  readonly emergencyNumbers: readonly string[];
  /** `''` = switched off. */
  readonly featureCodes: FeatureCodes;
  /** Every enabled route whose provider is in service, or that is for every provider; by priority, then id. */
  readonly incomingRoutes: readonly DesiredIncomingRoute[];
  readonly defaultRoute: DesiredDefaultRoute;
  /** By priority, then id; only providers in service. `undefined`: none is stored (contract 23.1). */
  readonly outboundRoutes: readonly DesiredOutboundRoute[] | undefined;
  /** Sounds with audio. */
  readonly sounds: readonly DesiredSound[];
  readonly menus: readonly DesiredMenu[];
  readonly queues: readonly DesiredQueue[];
  /** Every enabled rule, by priority, then id. */
  readonly offWorkRules: readonly DesiredOffWorkRule[];
  /** Later ones win: the last of the list that covers a route and has not ended counts. */
  readonly overrides: readonly HoursOverride[];
  /** Changes whenever the overrides change: what a phone switched on top of earlier ones no longer counts. */
  readonly overrideRevision: number;
}

export interface Numbering {
  /** Digits of internal numbers. */
  readonly extensionLength: number;
  /** `''` = unknown. */
  readonly countryCode: string;
  readonly nationalPrefix: string;
  readonly internationalPrefix: string;
}

interface FeatureCodes {
  readonly night: string;
  readonly queueLogin: string;
  readonly queuePause: string;
}

interface RouteStep {
  readonly id: number;
  readonly name: string;
  readonly target: string;
  /** 0 = as long as the target takes. */
  readonly timeoutSeconds: number;
  /** Played before the target. */
  readonly soundId: string;
}

export interface DesiredIncomingRoute extends RouteStep {
  /** `''` = any number. */
  readonly number: string;
  readonly match: 'exact' | 'ends';
  /** `''` = every provider. */
  readonly providerId: string;
  /** Numbers, prefixes with `*`, `anonymous`; empty = everybody. */
  readonly callers: readonly string[];
  readonly priority: number;
}

/** Route 1: for calls that no other route leads anywhere. */
export interface DesiredDefaultRoute extends RouteStep {
  readonly didToExtension: boolean;
}

export interface DesiredOutboundRoute {
  readonly id: number;
  readonly name: string;
  readonly providerId: string;
  readonly beginsWith: string;
  /** -1 = any rest. */
  readonly restDigits: number;
  readonly trim: number;
  readonly prepend: string;
  /** `''`, `anonymous` or a number. */
  readonly callerId: string;
  readonly forwardedCallerId: 'caller' | 'own';
  readonly callClass: CallClass;
  readonly isDisabled: boolean;
}

export interface DesiredSound {
  readonly id: string;
  readonly name: string;
  readonly category: 'custom' | 'moh';
  /** Without extension: `<file>.wav`, `<file>.wav16`, `<file>.g722`, `<file>.alaw` and `<file>.ulaw` exist. */
  readonly file: string;
  readonly seconds: number;
}

export interface DesiredMenu {
  readonly id: string;
  readonly number: string;
  readonly name: string;
  readonly soundId: string;
  /** Time without a key, after the prompt. */
  readonly timeoutSeconds: number;
  /** How often the prompt is played again. */
  readonly repeats: number;
  readonly onTimeout: string;
  readonly onInvalid: string;
  readonly timeoutSoundId: string;
  readonly invalidSoundId: string;
  /** Employees may be dialled directly. */
  readonly isDirect: boolean;
  readonly actions: readonly { readonly digits: string; readonly target: string }[];
}

export type QueueStrategy =
  | 'ringall'
  | 'leastrecent'
  | 'fewestcalls'
  | 'random'
  | 'rrmemory'
  | 'linear'
  | 'growing';

export interface DesiredQueue {
  readonly id: string;
  readonly number: string;
  readonly name: string;
  /** Changes whenever strategy, members or their order change (contract 27.17). */
  readonly revision: number;
  readonly strategy: QueueStrategy;
  readonly ringSeconds: number;
  readonly wrapUpSeconds: number;
  readonly ringsBusyMembers: boolean;
  readonly hears: 'ringing' | 'moh';
  readonly musicSoundId: string;
  readonly periodicSoundId: string;
  /** 0 = never. */
  readonly periodicSeconds: number;
  readonly announcesPosition: boolean;
  readonly announcesHoldTime: boolean;
  /** 0 = no limit. */
  readonly timeoutSeconds: number;
  readonly onTimeout: string;
  readonly onEmpty: string;
  /** 0 = no limit. */
  readonly maxWaiting: number;
  readonly onFull: string;
  readonly rejectSeconds: number;
  readonly callerIdPrefix: string;
  readonly members: readonly DesiredMember[];
}

/** An employee's number, an employee's mobile, or a number outside. */
export interface DesiredMember {
  readonly number: string;
  readonly name: string;
  readonly state: MemberState;
  readonly reason: string;
}

/** When the line is closed, and what happens then (contract 26). */
export interface DesiredOffWorkRule {
  readonly id: number;
  readonly name: string;
  readonly timezone: string;
  readonly when: OffWorkTime;
  /** Where calls go; without a target, the sound is played and the call ended. */
  readonly target: string;
  readonly soundId: string;
  /** `undefined` = every route. */
  readonly routeIds: readonly number[] | undefined;
}

export type OffWorkTime =
  | {
      readonly kind: 'timeframe';
      /** `YYYY-MM-DD`, both or none (`''`). */
      readonly dateFrom: string;
      readonly dateTo: string;
      /** 1 Monday to 7 Sunday, both or none (-1). */
      readonly weekdayFrom: number;
      readonly weekdayTo: number;
      /** `HH:MM`; both `''` = the whole day. */
      readonly timeFrom: string;
      readonly timeTo: string;
    }
  /** Half-open, in milliseconds of the epoch, in order, already joined where they touch. */
  | { readonly kind: 'calendar'; readonly ranges: readonly (readonly [from: number, to: number])[] };

export interface HoursOverride {
  /** `auto`: the rules decide for these routes, although an earlier override is for all. */
  readonly mode: 'open' | 'closed' | 'auto';
  /** Milliseconds of the epoch; 0 = until somebody ends it. */
  readonly until: number;
  /** The rule that `closed` acts as; 0 = the first that covers the route. */
  readonly ruleId: number;
  /** Empty = all routes. */
  readonly routeIds: readonly number[];
}

/** Used when none of it is stored: employees are reached from outside, and every provider carries outgoing calls. */
export const PLAIN_CALL_FLOW: DesiredCallFlow = {
  numbering: { extensionLength: 3, countryCode: '', nationalPrefix: '0', internationalPrefix: '00' },
  emergencyNumbers: [],
  featureCodes: { night: '', queueLogin: '', queuePause: '' },
  incomingRoutes: [],
  defaultRoute: { id: 1, name: '', target: '', timeoutSeconds: 0, soundId: '', didToExtension: true },
  outboundRoutes: undefined,
  sounds: [],
  menus: [],
  queues: [],
  offWorkRules: [],
  overrides: [],
  overrideRevision: 0,
};
