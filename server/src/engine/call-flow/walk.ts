import { bare } from '../../lib/mobile-number.ts';
import type { DesiredCallFlow, DesiredDefaultRoute, DesiredIncomingRoute } from '../desired-call-flow.ts';
import type { Extension, House, Ring, Step, StepKind, SupposedCall } from './explanation.ts';
import type { OutboundAttempt } from './outbound-plan.ts';

const MOST_STEPS = 100;
/** A move adds two steps at most, and the end needs two more. */
const LAST_ROOM = 3;

export type Route = DesiredIncomingRoute | DesiredDefaultRoute;

/** Where a call goes next, in the dialplan's terms. */
export type Move =
  | { readonly to: 'target'; readonly target: string }
  | { readonly to: 'give-up'; readonly cause: number }
  | { readonly to: 'next-route'; readonly cause: number }
  /** `isBusy`: by the operator's word `busy`. */
  | { readonly to: 'end'; readonly cause: number; readonly isBusy?: true };

export const enter = (target: string): Move => ({ to: 'target', target });
export const giveUp = (cause: number): Move => ({ to: 'give-up', cause });

/** A call on its way: what the dialplan keeps in variables, and the explanation so far. */
export interface Walk {
  readonly flow: DesiredCallFlow;
  readonly house: House;
  readonly call: SupposedCall;
  /** The number called, `''` if it is neither digits nor a name. */
  readonly did: string;
  readonly employee: (number: string) => Extension | undefined;
  readonly mobile: (number: string) => Extension | undefined;
  /** Whether an employee's number continues after these digits. */
  readonly beginsEmployee: (digits: string) => boolean;
  readonly soundSeconds: (id: string) => number;
  /** Planned outgoing attempts by number, kept because a queue may be entered again and again. */
  readonly attempts: Map<string, readonly OutboundAttempt[]>;

  /** Seconds since the call arrived. */
  after: number;
  /** Routes that are left, route 1 last. */
  routes: readonly Route[];
  /** Until when the current route may ring, 0 = no limit; `undefined`: an application has the call, or no route has. */
  deadline: number | undefined;
  isAnswered: boolean;
  /** Numbers entered in this chain. */
  seen: readonly string[];
  hops: number;
  cause: number | undefined;
  /** What the caller will still enter in menus. */
  entries: readonly string[];
  /** Keys that were pressed before anything asked for them. */
  ahead: string;
  /** The station with the last leg. */
  last: { readonly by: string; readonly dialstatus: string } | undefined;
  /** The step that keeps the remaining routes from being reached: it closed the line or took the call. */
  taken: number | undefined;
  /** The text on routes whose number fits less closely, for the step of the one that fits best. */
  outdone: { readonly by: Route; readonly text: string } | undefined;
  /** Routes that a closed line leaves untried. */
  unasked: readonly Route[];

  readonly steps: Step[];
  readonly rings: Ring[];
  readonly warnings: Set<string>;
  /** There is no room for another step. */
  readonly isFull: () => boolean;
  /** Adds a step and returns its number. */
  readonly step: (kind: StepKind, id: string, name: string, text: string) => number;
  readonly ring: (ring: Omit<Ring, 'via'>) => void;
  /** Adds a sentence to a step. */
  readonly addText: (n: number, text: string) => void;
}

interface Numbers {
  readonly employees: ReadonlyMap<string, Extension>;
  /** Numbers without plus. */
  readonly mobiles: ReadonlyMap<string, Extension>;
  /** Beginnings of employees' numbers, without the numbers themselves. */
  readonly beginnings: ReadonlySet<string>;
}

/** Cached, since thousands of employees are the same for many calls. */
const known = new WeakMap<readonly Extension[], Numbers>();

function numbersOf(extensions: readonly Extension[]): Numbers {
  const kept = known.get(extensions);
  if (kept) return kept;
  const employees = new Map(extensions.map((extension) => [extension.number, extension]));
  const mobiles = new Map<string, Extension>();
  for (const extension of extensions) {
    const number = bare(extension.mobile.number.replace(/[^0-9+*#]/g, ''));
    // If several share a number, the first one has it.
    if (number !== '' && !mobiles.has(number)) mobiles.set(number, extension);
  }
  const beginnings = new Set<string>();
  for (const { number } of extensions)
    for (let length = 1; length < number.length; length++) beginnings.add(number.slice(0, length));
  const numbers = { employees, mobiles, beginnings };
  known.set(extensions, numbers);
  return numbers;
}

export function createWalk(house: House, call: SupposedCall, did: string): Walk {
  const { callFlow } = house;
  const { employees, mobiles, beginnings } = numbersOf(house.extensions);
  const seconds = new Map(callFlow.sounds.map((sound) => [sound.id, sound.seconds]));
  const assumed = call.present === undefined;
  const steps: Step[] = [];
  const rings: Ring[] = [];
  return {
    flow: callFlow,
    house,
    call,
    did,
    employee: (number) => employees.get(number),
    mobile: (number) => mobiles.get(bare(number)),
    beginsEmployee: (digits) => beginnings.has(digits),
    soundSeconds: (id) => seconds.get(id) ?? 0,
    attempts: new Map(),
    after: 0,
    routes: [],
    deadline: undefined,
    isAnswered: false,
    seen: [],
    hops: 0,
    cause: undefined,
    entries: call.entries,
    ahead: '',
    last: undefined,
    taken: undefined,
    outdone: undefined,
    unasked: [],
    steps,
    rings,
    warnings: new Set(),
    isFull: () => steps.length >= MOST_STEPS - LAST_ROOM,
    step(kind, id, name, text) {
      const n = steps.length + 1;
      steps.push({ n, kind, id, name, text, after: Math.round(this.after), assumed });
      return n;
    },
    ring(ring) {
      rings.push({ ...ring, from: Math.round(ring.from), to: Math.round(ring.to), via: steps.length });
    },
    addText(n, text) {
      const step = steps[n - 1];
      if (step) steps[n - 1] = { ...step, text: `${step.text} ${text}` };
    },
  };
}

/** How long may be rung before the deadline of a route (contract 22.7). */
export const within = ({ deadline = 0, after }: Walk, seconds: number): number =>
  deadline > 0 ? Math.min(seconds, Math.max(1, deadline - after)) : seconds;

export const isLate = ({ deadline = 0, after }: Walk): boolean => deadline > 0 && after >= deadline;

/** `"Main" (700)`, or only `700`. */
export const called = (name: string, id: string | number): string =>
  name === '' ? `${id}` : `"${name}" (${id})`;

export const seconds = (count: number): string => `${Math.round(count)} s`;

/** Lets time pass in which nothing listens to keys: what was pressed ahead is lost. */
export function pass(walk: Walk, seconds: number): void {
  walk.after += seconds;
  walk.ahead = '';
}

/** Plays a message, for which the line is answered (contract 22.8, 26.10). */
export function playMessage(walk: Walk, soundId: string): void {
  const sound = walk.flow.sounds.find(({ id }) => id === soundId);
  if (!sound) return;
  const text = `The caller hears ${called(sound.name, sound.id)}; the line is answered.`;
  walk.step('message', sound.id, sound.name, text);
  walk.isAnswered = true;
  pass(walk, sound.seconds);
  walk.last = { by: `message ${sound.id}`, dialstatus: 'CONTINUE' };
}
