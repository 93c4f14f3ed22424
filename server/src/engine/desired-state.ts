import type { CallClass } from '../lib/caller-id.ts';
import type { DesiredCallFlow } from './desired-call-flow.ts';

/**
 * Everything an engine has to serve. Always sent as a whole: an engine compares it with what it serves, so nobody has
 * to keep track of what was sent before.
 */
export interface DesiredState {
  readonly extensions: readonly DesiredExtension[];
  readonly providers: readonly DesiredProvider[];
  /** Addresses and ranges that the engine itself refuses, whatever they send. */
  readonly refusedSources: readonly string[];
  /** Absent: `PLAIN_CALL_FLOW`. */
  readonly callFlow?: DesiredCallFlow;
}

export type Transport = 'udp' | 'tcp' | 'tls';
export type DtmfMode = 'auto' | 'rfc4733' | 'inband' | 'info' | 'auto_info';

/** Who may use an account, as the lists of a network filter (contract 2.5); absent = anybody. */
export interface SourceFilter {
  readonly permit: string;
  readonly deny: string;
}

export interface DesiredExtension {
  readonly number: string;
  readonly name: string;
  readonly secret: string;
  readonly transports: readonly Transport[];
  readonly dtmfMode: DtmfMode;
  /** Voice is encrypted, or there is no call. */
  readonly isEncrypted: boolean;
  readonly isRecorded: boolean;
  readonly filter?: SourceFilter;
  readonly manualAttributes: string;
  /** Reached by dialling the mobile number, by the dial string if there is one. */
  readonly mobile: { readonly number: string; readonly dialString: string };
  readonly ringSeconds: number;
  /** A number, or a word such as `hangup`, `busy`, `voicemail`; empty = no forward. */
  readonly forward: { readonly onNoAnswer: string; readonly onBusy: string; readonly onUnavailable: string };
  /** Number shown to outside callees: a number, `anonymous`, or `''` and absent = as route or provider decide. */
  readonly outgoingCallerId?: string;
  /** How far outside it may call; absent = everywhere. */
  readonly callClass?: CallClass;
}

export interface DesiredProvider {
  readonly id: string;
  readonly description: string;
  readonly registration: 'inbound' | 'outbound' | 'none';
  readonly host: string;
  readonly port: number;
  readonly additionalHosts: readonly string[];
  readonly username: string;
  readonly secret: string;
  readonly transports: readonly Transport[];
  readonly dtmfMode: DtmfMode;
  /** 0 = not probed. */
  readonly qualifySeconds: number;
  readonly filter?: SourceFilter;
  readonly fromUser: string;
  readonly fromDomain: string;
  readonly hidesFromUser: boolean;
  readonly outboundProxy: string;
  readonly manualAttributes: string;
  readonly callerIdRule: HeaderRule;
  readonly didRule: HeaderRule;
  /** Where a chosen number is shown to the provider; absent = `pai`. */
  readonly callerIdPlacement?: CallerIdPlacement;
}

export type CallerIdPlacement = 'pai' | 'from' | 'rpid';

/** Where the caller's or the dialled number is read from. */
export interface HeaderRule {
  readonly source: string;
  readonly customHeader: string;
  readonly parserStart: string;
  readonly parserEnd: string;
  readonly parserRegex: string;
}
