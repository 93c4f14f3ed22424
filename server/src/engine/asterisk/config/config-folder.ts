import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineAway } from '../../../lib/errors.ts';
import { type Ami, AmiRefused } from '../control/ami.ts';

type Files = ReadonlyMap<string, string>;

/** Hashes of what the running engine has read, so that after a kill the service finds what it still has to reload. */
const LOADED = 'loaded.json';

/** What to reload when a file changed. Files that are not listed are read at start only. */
const READERS: ReadonlyMap<string, string> = new Map([
  ['pjsip.conf', 'res_pjsip.so'],
  ['pjsip_endpoints.conf', 'res_pjsip.so'],
  ['pjsip_auths.conf', 'res_pjsip.so'],
  ['pjsip_aors.conf', 'res_pjsip.so'],
  ['pjsip_registrations.conf', 'res_pjsip_outbound_registration.so'],
  ['pjsip_identifies.conf', 'res_pjsip_endpoint_identifier_ip.so'],
  ['acl.conf', 'acl'],
  ['rtp.conf', 'res_rtp_asterisk.so'],
  ['extensions.conf', 'pbx_config.so'],
  ['queues.conf', 'app_queue.so'],
  ['features.conf', 'features'],
  ['cel.conf', 'cel'],
  ['cel_custom.conf', 'cel_custom.so'],
  ['cdr.conf', 'cdr'],
  ['musiconhold.conf', 'res_musiconhold.so'],
  ['indications.conf', 'indications'],
  ['logger.conf', 'logger'],
]);
/** Reads everything about SIP when reloaded, including the files of the other two. */
const WHOLE_SIP = 'res_pjsip.so';
const PARTS_OF_SIP = new Set(['res_pjsip_outbound_registration.so', 'res_pjsip_endpoint_identifier_ip.so']);

/** The folder that the engine reads its configuration from. */
export function createConfigFolder({ dir, ami }: { readonly dir: string; readonly ami: Ami }) {
  const onDisk = new Map<string, string>();
  let loaded: Map<string, string> | undefined;
  let last: Promise<void> = Promise.resolve();
  let isClosed = false;

  async function hashOnDisk(name: string): Promise<string> {
    const known = onDisk.get(name);
    if (known !== undefined) return known;
    const text = await readFile(join(dir, name), 'utf8').catch(absent);
    return text === undefined ? '' : hashOf(text);
  }

  async function replace(name: string, text: string): Promise<void> {
    const temporary = join(dir, `${name}.new`);
    await writeFile(temporary, text, { mode: 0o640 });
    await rename(temporary, join(dir, name));
  }

  async function store(files: Files): Promise<Map<string, string>> {
    const hashes = new Map<string, string>();
    for (const [name, text] of files) {
      const hash = hashOf(text);
      hashes.set(name, hash);
      if ((await hashOnDisk(name)) !== hash) await replace(name, text);
      onDisk.set(name, hash);
    }
    return hashes;
  }

  async function remember(hashes: Map<string, string>): Promise<void> {
    loaded = hashes;
    await replace(LOADED, JSON.stringify(Object.fromEntries(hashes)));
  }

  async function loadedBefore(): Promise<Map<string, string>> {
    const text = (await readFile(join(dir, LOADED), 'utf8').catch(absent)) ?? '{}';
    try {
      return new Map(Object.entries(JSON.parse(text) as Record<string, string>));
    } catch {
      return new Map();
    }
  }

  async function serve(files: Files): Promise<void> {
    const hashes = await store(files);
    loaded ??= await loadedBefore();
    const before = loaded;
    const changed = [...hashes].filter(([name, hash]) => before.get(name) !== hash).map(([name]) => name);
    if (changed.length === 0) return;
    for (const reader of readersOf(changed)) await reload(reader, ami);
    await remember(hashes);
  }

  /** One after the other: the engine refuses a second reload while one runs. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    const mine = last.then(() => {
      if (isClosed) throw new EngineAway('the service is stopping');
      return work();
    });
    last = mine.catch(() => {});
    return mine;
  }

  return {
    /** On disk only, for an engine that is about to start and reads them then. */
    write: (files: Files): Promise<void> => inTurn(async () => remember(await store(files))),
    /** Resolves when the engine serves them; unchanged files are not read again. */
    apply: (files: Files): Promise<void> => inTurn(() => serve(files)),
    /** Resolves when nothing is written any more. */
    close(): Promise<void> {
      isClosed = true;
      return last;
    },
  };
}

function readersOf(changed: readonly string[]): string[] {
  const readers = new Set(changed.flatMap((name) => READERS.get(name) ?? []));
  return [...readers].filter((reader) => !(readers.has(WHOLE_SIP) && PARTS_OF_SIP.has(reader)));
}

async function reload(module: string, ami: Ami): Promise<void> {
  try {
    await ami.action('Reload', { Module: module });
  } catch (error) {
    if (!(error instanceof AmiRefused)) throw error;
    throw new Error(`the engine did not reload its configuration: ${error.message} (${module})`, {
      cause: error,
    });
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64');

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
