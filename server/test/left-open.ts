import { createHook } from 'node:async_hooks';
import { readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';

/** Resource types, as Node names them, that a service may hold open or have in progress. */
const KINDS =
  /^(Timeout|Immediate|WORKER|MESSAGEPORT|TCPWRAP|TCPSERVERWRAP|TLSWRAP|PIPEWRAP|PROCESSWRAP|FSEVENTWRAP|FSREQ\w+)$/;
const REQUEST = /^FSREQ/;
/** Node reports the end of a timer one turn later. */
const TURNS = 20;
/** Resources of no service: Node's own clock for the Date header, and a library's process metrics. */
const NOT_OURS = /node:internal\/http|http\/metrics\.ts/;

/** Records everything that the service's code opens or starts, and what of it has not ended. */
export function watchOpenings() {
  const open = new Map<number, string>();
  const shown = Error.stackTraceLimit;
  const hook = createHook({
    trackPromises: false,
    init(id, kind) {
      if (!KINDS.test(kind)) return;
      Error.stackTraceLimit = 40;
      const { stack = '' } = new Error();
      Error.stackTraceLimit = shown;
      const place = /server\/src\/([^\s()?]+)/.exec(stack)?.[1];
      if (place && !NOT_OURS.test(stack)) open.set(id, `${kind} of ${place}`);
    },
    // The request has been answered.
    before: (id) => void (REQUEST.test(open.get(id) ?? '') && open.delete(id)),
    destroy: (id) => void open.delete(id),
  }).enable();
  const seen = (kinds: RegExp) => [...open.values()].filter((what) => kinds.test(what));

  return {
    /** To be called after `close()`: fails with the kind of everything left open and where the code opened it. */
    async expectNothingLeft(folder: string): Promise<void> {
      const requests = seen(REQUEST);
      const files = await stateOf(folder);
      expect(requests, 'reads or writes under way').toEqual([]);
      expect(await openFilesIn(folder), 'open files').toEqual([]);
      for (let turn = 0; turn < TURNS && open.size > 0; turn++) await setImmediate();
      expect(seen(/^(Timeout|Immediate|WORKER|MESSAGEPORT|PROCESSWRAP)/), 'timers and threads').toEqual([]);
      // A connection ends only once the other side has closed it, too.
      await eventually(() => expect([...open.values()], 'sockets').toEqual([]));
      expect(await stateOf(folder), 'files').toEqual(files);
    },
    stop: () => void hook.disable(),
  };
}

/** The state of everything below a folder; any change yields a different list. */
async function stateOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const states = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return `${path} ${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  });
  return (await Promise.all(states)).sort();
}

/** Files below a folder that this process, with all its threads, has open. */
async function openFilesIn(folder: string): Promise<string[]> {
  const handles = await readdir('/proc/self/fd');
  const targets = await Promise.all(handles.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(`${folder}/`));
}
