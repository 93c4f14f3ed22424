import type { Config } from '../../../config.ts';
import { Failure } from '../../../lib/errors.ts';
import { CommandFailed } from '../../command.ts';
import { ServiceAway, type ServiceCall, ServiceRefused } from '../../service-client.ts';
import { needsBuild } from '../build.ts';
import { at, endpointLine, type ModuleRecord, stateOf } from '../installed-module.ts';
import { createCompiler } from './compiler.ts';
import { createDelivery } from './delivery.ts';
import { changedFiles, type FolderState, shippedOf, sourcesOf } from './folder-state.ts';
import { watchFolder } from './folder-watch.ts';
import { createLogFollower } from './log-follower.ts';
import { createReloader, NotAccepted } from './reloader.ts';

interface DevelopParts {
  readonly config: Config;
  readonly folder: string;
  /** As the author wrote it. */
  readonly shownFolder: string;
  readonly call: ServiceCall;
  readonly yes: boolean;
  readonly say: (line: string) => void;
  /** Ends it, after any reload that is under way. */
  readonly signal: AbortSignal;
}

/** The files of the last try, and whether it failed; a failure is retried as soon as any of them is saved. */
interface Attempt {
  readonly files: FolderState;
  readonly failed: boolean;
}

const isNew = (last: Attempt | undefined, files: FolderState): boolean =>
  changedFiles(last?.files, files, last?.failed ? 'mark' : 'hash').length > 0;

/** Accepts what the compiler wrote, but not what the author wrote meanwhile: the next compile covers that. */
function withSourcesOf(before: FolderState, now: FolderState): FolderState {
  const later = sourcesOf(now);
  return new Map([...sourcesOf(before), ...[...now].filter(([path]) => !later.has(path))]);
}

type Took = () => string;

/** Compiles and reloads a module whenever its files change, one run after the other, and shows its log. */
export async function developModule(parts: DevelopParts): Promise<void> {
  const { config, folder, shownFolder, call, yes, say } = parts;
  const over = new AbortController();
  const signal = AbortSignal.any([parts.signal, over.signal]);
  const delivery = await createDelivery(config, folder);
  const compiler = await createCompiler(folder);
  const reloader = createReloader({ call, yes, say });
  const watch = watchFolder(folder);
  let seen: FolderState | undefined;
  let isGone = false;
  let compiled: Attempt | undefined;
  let loaded: Attempt | undefined;
  /** From the last successful load. */
  let record: ModuleRecord | undefined;
  let isUp = false;
  let logs: { id: string; look(): Promise<void>; following: Promise<void> } | undefined;

  async function pass(began: number): Promise<void> {
    const took = () => `${Math.round(performance.now() - began)} ms`;
    const found = await watch.look();
    if (isGone !== !found)
      say(found ? 'its folder is back' : 'its folder is gone; the loaded version keeps running');
    isGone = !found;
    if (!found) return;
    const changed = changedFiles(seen ?? found, found);
    seen = found;
    const outcome = await compile(found, took);
    if (outcome === 'failed' || signal.aborted) return;
    const now = (await watch.look()) ?? found;
    seen = withSourcesOf(found, now);
    const files = shippedOf(now);
    if (!isNew(loaded, files)) {
      if (outcome === 'compiled') say(`compiled in ${took()}${namesOf(changed)}; what runs is unchanged`);
      return;
    }
    loaded = { files, failed: true };
    await load(changed, took).catch((error: unknown) => {
      // Retried as soon as the service is back.
      if (error instanceof ServiceAway) loaded = undefined;
      throw error;
    });
    loaded = { files, failed: false };
  }

  async function compile(found: FolderState, took: Took): Promise<'compiled' | 'current' | 'failed'> {
    if (!needsBuild(folder)) return 'current';
    const files = sourcesOf(found);
    if (!compiler.hasLost(found) && !isNew(compiled, files)) return compiled?.failed ? 'failed' : 'current';
    const problems = await compiler.compile(found);
    compiled = { files, failed: problems.length > 0 };
    if (problems.length === 0) return 'compiled';
    // Interrupting the terminal also interrupts the compiler.
    if (!signal.aborted)
      say(`does not compile (${took()})${isUp ? '; the previous version keeps running' : ''}:`);
    if (!signal.aborted) for (const problem of problems) say(`  ${problem}`);
    return 'failed';
  }

  async function load(changed: readonly string[], took: Took): Promise<void> {
    const manifest = await delivery.manifest();
    const { id } = manifest;
    if (logs && logs.id !== id)
      throw new CommandFailed(`module.json names another module now, ${id}`, 'stop this and start it again');
    if (!logs) {
      const follower = await createLogFollower({ call, id, say, onBack: watch.wake });
      logs = { id, look: follower.look, following: follower.follow(signal) };
    }
    const before = record;
    try {
      record = await reloader.reload(manifest, delivery.deliver);
      isUp = true;
    } catch (error) {
      if (error instanceof NotAccepted) throw before ? new NotAccepted(KEPT.reason, KEPT.remedy) : error;
      if (error instanceof ServiceRefused) isUp = false;
      throw error;
    } finally {
      await logs.look();
    }
    if (before) say(`reloaded in ${took()}${namesOf(changed)}`);
    else say(`${id} ${record.version} is enabled (${took()})`);
    const lines = (module?: ModuleRecord) => module?.endpoints.map(endpointLine) ?? [];
    for (const line of lines(record)) if (!lines(before).includes(line)) say(`  ${line}`);
  }

  /** Reports whatever is wrong with the module: its author is working on it. */
  function tell(error: unknown): void {
    if (error instanceof NotAccepted && !record) throw error;
    const isTold =
      error instanceof CommandFailed ||
      error instanceof Failure ||
      (error instanceof Error && (error.name === 'BrokenModule' || 'code' in error));
    if (!isTold) throw error;
    const remedy = error instanceof CommandFailed && error.remedy ? `; ${error.remedy}` : '';
    const after = error instanceof ServiceRefused ? '; it does not answer until a change fixes it' : '';
    say(`not reloaded: ${error.message}${remedy}${after}`);
  }

  async function lastWords(id: string): Promise<string> {
    try {
      const { data } = await call<ModuleRecord>('GET', at(id));
      return data.disabled ? `${id} is ${stateOf(data)}` : `${id} stays enabled`;
    } catch (error) {
      if (error instanceof CommandFailed) return error.message;
      throw error;
    }
  }

  try {
    await pass(performance.now()).catch(tell);
    const copied = delivery.isThere ? '' : ', of which the service has a copy';
    say(`watching ${shownFolder}${copied}; Ctrl-C ends it`);
    while (!signal.aborted) {
      const began = await watch.changed(signal).catch(() => undefined);
      if (began !== undefined) await pass(began).catch(tell);
    }
    if (logs) say(await lastWords(logs.id));
  } finally {
    over.abort();
    watch.close();
    await logs?.following;
  }
}

const KEPT = {
  reason: 'what module.json asks for now was not accepted, so the previous version keeps running',
  remedy: 'remove it, save the file again to be asked again, or start with --yes',
};

const MAX_NAMES = 3;
function namesOf(paths: readonly string[]): string {
  if (paths.length === 0) return '';
  const more = paths.length > MAX_NAMES ? ` and ${paths.length - MAX_NAMES} more` : '';
  return ` (${paths.slice(0, MAX_NAMES).join(', ')}${more})`;
}
