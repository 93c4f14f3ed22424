import {
  type DesiredCallFlow,
  type DesiredIncomingRoute,
  type DesiredMenu,
  type DesiredOffWorkRule,
  type DesiredQueue,
  PLAIN_CALL_FLOW,
} from '../desired-call-flow.ts';
import { queue as anyQueue } from '../engine.suite.ts';
import { explainCall } from './explain.ts';
import type { Explanation, Extension, House, NamedProvider, Present, SupposedCall } from './explanation.ts';

/** Records for explanations; fields that are not given are as plain as possible. */
export const employee = (number: string, fields: Partial<Extension> = {}): Extension => ({
  number,
  name: '',
  mobile: { number: '', dialString: '' },
  ringSeconds: 45,
  forward: { onNoAnswer: '', onBusy: '', onUnavailable: '' },
  ...fields,
});

export const provider = (id: string, fields: Partial<NamedProvider> = {}): NamedProvider => ({
  id,
  description: '',
  isDisabled: false,
  isInService: true,
  fromUser: '',
  ...fields,
});

export const route = (
  id: number,
  number: string,
  target: string,
  fields: Partial<DesiredIncomingRoute> = {},
): DesiredIncomingRoute => ({
  id,
  name: '',
  number,
  target,
  match: 'exact',
  providerId: '',
  callers: [],
  priority: id,
  timeoutSeconds: 0,
  soundId: '',
  ...fields,
});

export const menu = (number: string, fields: Partial<DesiredMenu> = {}): DesiredMenu => ({
  id: `IVR-${number}`,
  number,
  name: '',
  soundId: '',
  timeoutSeconds: 7,
  repeats: 0,
  onTimeout: 'hangup',
  onInvalid: 'hangup',
  timeoutSoundId: '',
  invalidSoundId: '',
  isDirect: false,
  actions: [],
  ...fields,
});

export const queue = (
  number: string,
  members: readonly string[],
  fields: Partial<DesiredQueue> = {},
): DesiredQueue =>
  anyQueue(number, {
    name: '',
    members: members.map((member) => ({ number: member, name: '', state: 'in', reason: '' })),
    ...fields,
  });

export const weekend = (fields: Partial<DesiredOffWorkRule> = {}): DesiredOffWorkRule => ({
  id: 1,
  name: 'Weekend',
  timezone: 'Europe/Berlin',
  when: {
    kind: 'timeframe',
    dateFrom: '',
    dateTo: '',
    weekdayFrom: 6,
    weekdayTo: 7,
    timeFrom: '',
    timeTo: '',
  },
  target: '600',
  soundId: '',
  routeIds: undefined,
  ...fields,
});

/** Everybody is available but those named. */
export const present = ({
  away = [],
  inCall = [],
  wrapUp = {},
  awayProviders = [],
  waiting = 0,
}: {
  readonly away?: readonly string[];
  readonly inCall?: readonly string[];
  /** Seconds of wrap-up that are left. */
  readonly wrapUp?: Readonly<Record<string, number>>;
  readonly awayProviders?: readonly string[];
  readonly waiting?: number;
} = {}): Present => ({
  isReachable: (number) => !away.includes(number),
  memberDevice(_, number) {
    if (wrapUp[number] !== undefined) return 'wrapup';
    return inCall.includes(number) ? 'inuse' : away.includes(number) ? 'unavailable' : 'free';
  },
  wrapUpLeft: (_, number) => wrapUp[number] ?? 0,
  isProviderThere: (id) => !awayProviders.includes(id),
  waiting: () => waiting,
});

export const SATURDAY = Date.parse('2026-05-02T08:00:00Z');

export function explain(
  flow: Partial<DesiredCallFlow>,
  call: Partial<SupposedCall> = {},
  { extensions = ['201', '202', '203'].map((number) => employee(number)), ...house }: Partial<House> = {},
): Explanation {
  return explainCall(
    {
      callFlow: { ...PLAIN_CALL_FLOW, ...flow },
      extensions,
      providers: [provider('P')],
      timezone: 'Europe/Berlin',
      ...house,
    },
    {
      providerId: 'P',
      number: '4930111',
      caller: '015112345',
      at: SATURDAY,
      entries: [],
      isNow: true,
      present: undefined,
      ...call,
    },
  );
}

/** `route 5, menu 700`: without the provider, which is always the first, and the end. */
export const chain = ({ steps }: Explanation): string =>
  steps
    .slice(1, -1)
    .map(({ kind, id }) => `${kind} ${id}`)
    .join(', ');

export const ended = ({ ends: { by, dialstatus, sip } }: Explanation): string => `${by} ${dialstatus} ${sip}`;

export const rung = ({ rings }: Explanation): string[] =>
  rings.map(({ number, from, to, state }) => `${number} ${from}-${to} ${state}`);
