/** Events of the exchange, as modules receive them. */
import type { JsonObject } from './description.ts';
/** Events of the telephony engine and the firewall. Each needs the read named above it. */
export interface TelephonyEvents {
    /** calls: one event of each kind per call, whatever its legs; only people answer, a menu or a queue does not */
    'call-started': CallFacts;
    'call-answered': CallFacts;
    /** Answered or not. */
    'call-ended': CallFacts;
    /** An unanswered call from outside has ended. Sent in addition to `call-ended`. */
    'call-missed': CallFacts;
    /** calls, leg by leg */
    'leg-started': {
        readonly leg: Leg;
    };
    'leg-changed': {
        readonly leg: Leg;
    };
    'leg-ended': {
        readonly leg: EndedLeg;
    };
    'recording-finished': {
        readonly legId: string;
        readonly linkedId: string;
        readonly file: string;
    };
    /** calls: an emergency number was dialled, by whom, and the provider tried first */
    'emergency-call': {
        readonly linkedid: string;
        readonly src_num: string;
        readonly src_name: string;
        readonly number: string;
        readonly provider: string;
    };
    /** statuses */
    'registration-changed': {
        readonly extension: JsonObject;
    };
    'provider-changed': {
        readonly provider: JsonObject;
    };
    /** An override of the opening hours was set, changed or has ended. */
    'hours-changed': HoursFacts;
    /** A caller joined or left a queue. */
    'queue-joined': QueueFacts;
    'queue-left': QueueFacts & {
        /** `ANSWER`, `ABANDON`, `TIMEOUT`, `EMPTY`, `FULL`. */
        readonly outcome: string;
        /** Seconds. */
        readonly wait: number;
        /** Who took the call. */
        readonly member: string;
    };
    'queue-member-changed': {
        readonly queueId: string;
        readonly extension: string;
        readonly state: 'in' | 'out' | 'paused';
        readonly reason: string;
        readonly device: 'free' | 'ringing' | 'inuse' | 'wrapup' | 'unavailable' | 'unknown';
    };
    /** bans */
    'ban-added': {
        readonly address: string;
        readonly category: string;
        readonly expiresAt: number | null;
    };
    'ban-lifted': {
        readonly address: string;
        readonly category: string;
    };
}
/** For the first route named, or route 1; without an override, the rules decide. */
export interface HoursFacts {
    readonly state: 'open' | 'closed';
    readonly ruleId: string;
    readonly override: {
        readonly mode: 'open' | 'closed';
        /** In the exchange's time zone; empty: until somebody ends it. */
        readonly until: string;
        readonly ruleId: string;
        readonly incomingRouteIds: readonly number[];
    } | null;
    /** Empty: all. */
    readonly incomingRouteIds: readonly number[];
}
export interface QueueFacts {
    readonly queueId: string;
    /** The queue's. */
    readonly number: string;
    readonly linkedid: string;
    readonly src_num: string;
    /** From 1; 0 once the caller has left. */
    readonly position: number;
    /** Callers in the queue. */
    readonly waiting: number;
}
/** Times in milliseconds since the epoch, durations in whole seconds. */
export interface CallFacts {
    readonly linkedid: string;
    readonly src_num: string;
    readonly src_name: string;
    readonly dst_num: string;
    readonly dst_name: string;
    readonly did: string;
    readonly direction: 'incoming' | 'outgoing' | 'internal';
    readonly start: number;
    readonly answer: number | null;
    readonly end: number | null;
    readonly duration: number;
    readonly billsec: number;
    /** Empty until the call has ended. */
    readonly disposition: string;
}
interface Party {
    readonly channel: string;
    readonly number: string;
    readonly name: string;
}
/** One attempt to connect two parties. Legs with the same `linkedId` are one call. Times in ms since the epoch. */
export interface Leg {
    readonly id: string;
    readonly linkedId: string;
    readonly startedAt: number;
    readonly answeredAt: number | null;
    readonly source: Party;
    readonly destination: Party;
    /** The number that was dialled from outside, empty for a call from inside. */
    readonly did: string;
    /** One of the two has put the other on hold. */
    readonly isHeld?: boolean;
    /** An emergency number was dialled in this call, whoever is in it now: modules cannot act on it. */
    readonly isEmergency?: boolean;
    /**
     * The part of the exchange that the caller reached: `ivr` (a menu), `queue`, `announce` (a message), `offwork` (the
     * closed message). Empty for people, but `queue` for members whom a queue rings.
     */
    readonly application: string;
    /** The destination is not a person: it has the number and name of the menu, queue or message. */
    readonly isApplication: boolean;
}
export interface EndedLeg extends Leg {
    readonly endedAt: number;
    readonly disposition: string;
    readonly fromProvider: string;
    readonly toProvider: string;
}
export {};
