import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../lib/clock.ts';
import { EngineAway } from '../../../lib/errors.ts';
import type { DesiredState } from '../../desired-state.ts';
import type { ActiveLeg } from '../../engine.ts';
import type { EndedLeg } from '../../events.ts';
import { REFUSALS_LOG } from '../config/base.ts';
import { PLAIN_DOMAIN } from '../config/pjsip-employee.ts';
import { providerEndpoint } from '../config/pjsip-provider.ts';
import type { Ami } from '../control/ami.ts';
import { createJournal, type JournalPlace } from '../journal/journal.ts';
import { type JournalPosition, readPosition, writePosition } from '../journal/journal-position.ts';
import { accountOf } from '../journal/leg.ts';
import type { Site } from '../site.ts';
import { parseRefusalLine } from './refusal-line.ts';
import { createRefusalWatch } from './refusal-watch.ts';
import { createRefusals, type Refusal } from './refusals.ts';

/** Records of one account, however often it tries: one per second and cause, and this many per hour. */
const MOST_PER_HOUR = 300;
const HOUR_MS = 3_600_000;
const SAVE_MS = 3000;

/** Who may be refused: an employee, or a provider. */
interface Account {
  readonly number: string;
  readonly name: string;
  readonly provider: string;
}

interface RefusedOptions {
  readonly ami: Pick<Ami, 'command'>;
  readonly site: Pick<Site, 'logDir' | 'systemName'>;
  readonly clock: Clock;
  /** Called once for each; again only after a crash. */
  readonly record: (leg: EndedLeg) => void;
  /** Resolves when everything recorded survives the end of the service; rejects if it does not, or not yet. */
  readonly recorded: () => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly saveMs?: number;
}

/**
 * Callers whose offer of voice is unusable: the engine answers 488 before there is a call, so that they are missing in
 * its journal. Its log has them. The reading position is stored beside it.
 */
export function createRefusedCallers(options: RefusedOptions) {
  const { ami, site, clock, record, recorded, onError, saveMs = SAVE_MS } = options;
  const file = join(site.logDir, REFUSALS_LOG);
  const positionFile = `${file}.position`;
  const watch = createRefusalWatch({ ami, clock, onError });
  const refusals = createRefusals({ clock, onRefused: refuse });
  /** By their names in the engine. */
  let accounts: ReadonlyMap<string, Account> = new Map();
  const hours = new Map<string, { readonly begunAt: number; readonly ids: Set<string> }>();
  let opened: Promise<ReturnType<typeof createJournal> | undefined> | undefined;
  let saved: JournalPlace | undefined;
  /** What is read first, after a restart for example, is from an earlier time. */
  let isCatchingUp = true;
  let isUndatedTold = false;
  let noted: ReturnType<typeof note> | undefined;
  let saving: Promise<void> = Promise.resolve();

  function refuse(refusal: Refusal): void {
    const { account: name, at, cause = 'refused' } = refusal;
    const account = accounts.get(name);
    if (!account) return;
    if (!isCatchingUp) watch.callBegan();
    const known = hours.get(name);
    const hour =
      known && Math.abs(at - known.begunAt) < HOUR_MS ? known : { begunAt: at, ids: new Set<string>() };
    hours.set(name, hour);
    // The same second is the same call, even if a line is read twice.
    const id = `${site.systemName}-${Math.floor(at / 1000)}.${cause}-${name.replace('@', '-')}`;
    if (hour.ids.has(id) || hour.ids.size >= MOST_PER_HOUR) return;
    hour.ids.add(id);
    if (hour.ids.size === MOST_PER_HOUR)
      onError(
        new Error(
          `${name} was refused ${MOST_PER_HOUR} times within an hour: further times are not recorded`,
        ),
      );
    watch.detail();
    record(legOf(id, account, refusal));
  }

  /** True also while the log is put aside and the next one does not exist yet. */
  async function hasLog(): Promise<boolean> {
    const found = await readdir(site.logDir).catch((): string[] => []);
    return found.some(
      (name) => name.startsWith(REFUSALS_LOG) && /^(\.\d+)?$/.test(name.slice(REFUSALS_LOG.length)),
    );
  }

  /** Without the zone, the time is unknown, and so is whether the line was read before. */
  function tellUndated(): void {
    if (!isUndatedTold)
      onError(
        new Error(
          `callers refused by the engine are not recorded: ${file} needs dateformat=%F %T.%3q %z in logger.conf`,
        ),
      );
    isUndatedTold = true;
  }

  async function openLog() {
    // If a service was killed after it had put a file aside, the engine still writes to that one.
    await ami.command('logger reload');
    saved = (await readPosition<Pick<JournalPosition, 'version' | 'place'>>(positionFile))?.place;
    const journal = createJournal({
      file,
      clock,
      onError,
      from: saved,
      reopen: () => ami.command('logger reload'),
      onLine(text) {
        const sign = parseRefusalLine(text);
        if (sign === 'undated') return tellUndated();
        if (sign) refusals.take(sign);
      },
    });
    void journal.catchUp().then(() => {
      isCatchingUp = false;
    });
    return journal;
  }

  const note = (journal: ReturnType<typeof createJournal>) => ({
    place: journal.place(),
    done: journal.done(),
    taken: refusals.taken(),
  });

  async function save(): Promise<void> {
    const journal = await opened;
    if (!journal) return;
    if (!noted || refusals.isDecided()) noted = note(journal);
    const { place, done, taken } = noted;
    // What is not decided has to be read again after a crash. There may always be something, so a place waits until
    // everything before it is decided.
    if (!refusals.isDecided(taken)) return;
    noted = undefined;
    if (!place || (place.head === saved?.head && place.offset === saved.offset)) return;
    await recorded();
    await writePosition(positionFile, { version: 1, place });
    saved = place;
    await journal.remove(done);
  }

  /** The place stays before what could not be recorded: it is tried again. */
  function saveAfterLast(): Promise<void> {
    saving = saving.then(save).catch((error) => {
      if (!(error instanceof EngineAway)) onError(error);
    });
    return saving;
  }

  const timer = setInterval(saveAfterLast, saveMs);
  timer.unref();

  return {
    /** The engine is up. A remote one keeps this log only if its operator configured it. */
    async begin(): Promise<void> {
      if (await hasLog()) await watch.begin();
    },
    engineLost: watch.engineLost,
    callBegan({ source, startedAt }: ActiveLeg): void {
      // Legs without a channel were reported by us.
      if (source.channel === '') return;
      watch.callBegan();
      const { number, provider } = accountOf(source.channel);
      const name = number || provider;
      // Of a provider, several calls may begin at once, and it is unknown which of them this is.
      if (accounts.get(name)?.provider === '') refusals.callBegan(name, startedAt);
    },
    /** Accounts that are served can be refused. Reading begins when they are known. */
    follow({ extensions, providers }: DesiredState): void {
      accounts = accountsOf(extensions, providers);
      opened ??= openLog().catch((error) => {
        opened = undefined;
        if (!(error instanceof EngineAway)) onError(error);
        return undefined;
      });
    },
    async close(): Promise<void> {
      clearInterval(timer);
      await watch.close();
      await (await opened)?.close();
      refusals.close();
      await saveAfterLast();
    },
  };
}

const accountsOf = (
  extensions: DesiredState['extensions'],
  providers: DesiredState['providers'],
): ReadonlyMap<string, Account> =>
  new Map([
    ...extensions.flatMap(({ number, name }) => {
      const account = { number, name, provider: '' };
      return [[number, account] as const, [`${number}@${PLAIN_DOMAIN}`, account] as const];
    }),
    ...providers.map(({ id }) => [providerEndpoint(id), { number: '', name: '', provider: id }] as const),
  ]);

function legOf(id: string, account: Account, { at, number, cause }: Refusal): EndedLeg {
  const { number: caller, name, provider } = account;
  const isInbound = provider !== '';
  return {
    id,
    linkedId: id,
    startedAt: at,
    answeredAt: null,
    endedAt: at,
    source: { channel: '', number: caller, name },
    destination: { channel: '', number: isInbound ? '' : number, name: '' },
    did: isInbound ? number : '',
    disposition: 'FAILED',
    ...(cause && { cause }),
    fromProvider: provider,
    toProvider: '',
    dtmfDigits: '',
    isTransfer: false,
    application: '',
    isApplication: false,
    sourceCallId: '',
    destinationCallId: '',
  };
}
