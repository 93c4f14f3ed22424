import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineAway } from '../../../lib/errors.ts';
import type { QueueStrategy } from '../../desired-call-flow.ts';
import type { DesiredState } from '../../desired-state.ts';
import { type Ami, AmiRefused } from '../control/ami.ts';
import { GROWING, PAUSE_SECONDS, queueKey, renderQueueSections, renderQueues, TALKS } from './queues.ts';

const FILE = 'queues.conf';
/** How often sections that are no longer needed are checked. */
const LOOK_MS = 10_000;
const SECTION = /^\[(q[0-9a-f]{12}-r\d+)\]\n[^[]*/gm;
/** What an old section keeps: whom it rings, and in which order. Everything else is as it is now (contract 27.17). */
const KEPT = /^(?:(?:strategy|member) = |; growing$)/;

const MEMBER = /^member = Local\/([^@]+)@[\w-]+(\/n)?,/gm;

/** Matches a talk: the member's channel is in a group named after the section (`queue-calls.conf`). */
const TALK = new RegExp(`\\s(q[0-9a-f]{12}-r\\d+)\\s+${TALKS}\\s*$`, 'gm');

/** A section from before an edit, in which callers may still wait. */
export interface FormerSection {
  readonly name: string;
  readonly strategy: QueueStrategy;
  readonly ringSeconds: number;
  /** Rung for those callers, perhaps for no others. The number of a former employee may be nobody's now. */
  readonly members: readonly { readonly number: string; readonly isEmployee: boolean }[];
}

/** What the dialplan needs to know about old sections. */
export interface FormerQueues {
  readonly formerSections: readonly FormerSection[];
}

interface QueueSectionParts {
  readonly etcDir: string;
  readonly ami: Pick<Ami, 'list' | 'command'>;
  /** Somebody may have left: render again. */
  readonly onLeft: () => void;
}

/**
 * The file of queues. The engine forgets a section that leaves the file, even with callers in it, and at the end of a
 * talk that began in it refers to a queue that no longer exists: so an old one stays until nobody waits or talks in it.
 */
export function createQueueSections({ etcDir, ami, onLeft }: QueueSectionParts) {
  /** Sections as the engine has them; `undefined` = not read yet since the service started. */
  let served: ReadonlyMap<string, string> | undefined;
  let kept: ReadonlyMap<string, string> = new Map();
  /** Sections that callers were sent to until now, or were still in. */
  let used: ReadonlySet<string> = new Set();
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();

  /** Sections in which somebody waits or talks; `undefined` = the engine cannot be asked. */
  async function occupied(): Promise<Set<string> | undefined> {
    try {
      const events = await ami.list('QueueStatus');
      const talks = await ami.command('group show channels');
      return new Set([
        // Line breaks in a caller's number may add lines with any key.
        ...events.flatMap(({ Event, Queue = '' }) => (Event === 'QueueEntry' ? Queue.split('\n') : [])),
        ...[...talks.matchAll(TALK)].map(([, section = '']) => section),
      ]);
    } catch (error) {
      if (!(error instanceof AmiRefused) && !(error instanceof EngineAway)) throw error;
      return undefined;
    }
  }

  /** For callers in an old section, the same members are rung as before; everything else is as it is stored now. */
  function asNow(old: string, sections: ReadonlyMap<string, string>, name: string): string {
    const key = name.slice(0, name.lastIndexOf('-'));
    const [, current] = [...sections].find(([other]) => other.startsWith(`${key}-r`)) ?? [];
    if (current === undefined) return old;
    const now = current
      .split('\n')
      .filter((line) => line !== '' && !KEPT.test(line) && !line.startsWith('['));
    const before = old.split('\n').filter((line) => KEPT.test(line));
    return [`[${name}]`, ...now, ...before, '', ''].join('\n');
  }

  async function prepare(state: DesiredState): Promise<void> {
    if (!served) {
      served = sectionsIn(await readFile(join(etcDir, FILE), 'utf8').catch(() => ''));
      used = new Set(served.keys());
    }
    const sections = renderQueueSections(state);
    const gone = [...served].filter(([name]) => !sections.has(name));
    const busy = gone.length > 0 ? await occupied() : new Set<string>();
    // Until the engine has read its new dialplan, somebody may still enter a section that is empty now; and the engine
    // notes the end of a talk a moment late. So a section that was just in use is checked once more.
    const isKept = (name: string) => !busy || busy.has(name) || used.has(name);
    kept = new Map(
      gone.filter(([name]) => isKept(name)).map(([name, old]) => [name, asNow(old, sections, name)]),
    );
    used = new Set([...sections.keys(), ...(busy ?? kept.keys())]);
    served = new Map([...sections, ...kept]);
    clearTimeout(timer);
    if (kept.size > 0) timer = setTimeout(onLeft, LOOK_MS).unref();
  }

  return {
    /** Call it before this state is applied. One after the other, so that what is kept belongs to the last state. */
    prepare(state: DesiredState): Promise<void> {
      const mine = last.then(() => prepare(state));
      last = mine.catch(() => {});
      return mine;
    },
    former: (): FormerQueues => ({
      formerSections: [...kept].map(([name, text]) => formerSection(name, text)),
    }),
    render: (state: DesiredState): string => renderQueues(new Map([...renderQueueSections(state), ...kept])),
    close: (): void => clearTimeout(timer),
  };
}

function formerSection(name: string, text: string): FormerSection {
  const settingOf = (key: string): string => new RegExp(`^${key} = (.*)$`, 'm').exec(text)?.[1] ?? '';
  const isGrowing = text.includes(`\n${GROWING}\n`);
  return {
    name,
    strategy: isGrowing ? 'growing' : (settingOf('strategy') as QueueStrategy),
    ringSeconds: Number(settingOf('timeout')) + (isGrowing ? PAUSE_SECONDS : 0),
    members: [...text.matchAll(MEMBER)].map(([, number = '', outside]) => ({
      number,
      isEmployee: outside === undefined,
    })),
  };
}

const sectionsIn = (text: string): Map<string, string> =>
  new Map([...text.matchAll(SECTION)].map(([section, name = '']) => [name, section]));

/** The queue that a section belongs to. */
export function queueOfSection(section: string, ids: ReadonlyMap<string, string>): string | undefined {
  return ids.get(section.slice(0, section.lastIndexOf('-')));
}

/** Ids of queues by the key that their sections begin with. */
export const queueKeys = (ids: readonly string[]): ReadonlyMap<string, string> =>
  new Map(ids.map((id) => [queueKey(id), id]));
