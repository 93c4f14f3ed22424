// Sets up a whole office: two lines, four people, a queue, a menu, opening hours, and which numbers may be dialled. It
// can
// be run again at any time, and then changes only what differs; Node 24 runs it as it is:
//   PBX_KEY=<API key> node examples/office/set-up.ts
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError, createClient, type Envelope } from '@pbxcore/client';
import { keep } from './keep.ts';
import * as office from './office.ts';

const {
  PBX_URL = 'http://127.0.0.1:8080',
  PBX_KEY = '',
  OFFICE_SOUNDS = '.',
  CITY_SECRET,
  WORLD_SECRET,
} = process.env;
const timed: typeof fetch = (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(30_000) });
const pbx = createClient({ url: PBX_URL, credential: PBX_KEY, fetch: timed });
const ALL = { limit: 1000 };

/** Passwords are sent once, when a line is created; after that, change them on the page. */
async function lines() {
  const secrets: Record<string, string | undefined> = { 'SIP-CITY': CITY_SECRET, 'SIP-WORLD': WORLD_SECRET };
  const { data: known } = await pbx.sipProviders.getList(ALL);
  for (const { id, ...wanted } of office.lines) {
    const secret = secrets[id];
    await keep(`line ${wanted.description}`, pbx.sipProviders, {
      id: known.find((line) => line.id === id)?.id,
      wanted,
      created: async () => ({ id, ...wanted, ...(secret && { secret }) }),
    });
  }
}

/** The exchange proposes a strong password for each phone; the page shows it. */
async function people() {
  for (const wanted of office.people) {
    const { data } = await pbx.employees.getList({ search: `number:${wanted.number}` });
    const [known] = 'data' in data ? data.data : [];
    await keep(`employee ${wanted.user_username} <${wanted.number}>`, pbx.employees, {
      id: known?.id,
      wanted,
      created: async () => ({ ...wanted, sip_secret: (await pbx.employees.getDefault()).data.sip_secret }),
    });
  }
}

async function soundIds(): Promise<office.SoundIds> {
  const { data: known } = await pbx.soundFiles.getList(ALL);
  const idOf = async (name: string, file: string) => {
    const audio = await readFile(join(OFFICE_SOUNDS, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    const sound = known.find((one) => one.name === name);
    if (!audio) return (sound ?? standIn(name, file)).id;
    const isHeard = sound?.download_url && audio.equals(await original(sound.id));
    return isHeard ? sound.id : upload(name, audio, sound?.id);
  };
  const standIn = (name: string, file: string) => {
    const tone = known.find((one) => one.name === 'Attention tone');
    if (!tone)
      throw new Error(`${join(OFFICE_SOUNDS, file)} is missing, and there is no tone to stand in for it`);
    console.log(`no ${join(OFFICE_SOUNDS, file)}: "Attention tone" stands in for ${name}`);
    return tone;
  };
  return {
    Greeting: await idOf('Greeting', office.sounds.Greeting),
    Closed: await idOf('Closed', office.sounds.Closed),
  };
}

const original = async (id: string) =>
  new Uint8Array(await (await pbx.soundFiles.download(id)).arrayBuffer());

/** The only body that is not JSON, so it bypasses the client. */
async function upload(name: string, audio: Uint8Array<ArrayBuffer>, id: string | undefined): Promise<string> {
  const target = new URL('/pbxcore/api/v3/sound-files:uploadFile', PBX_URL);
  target.searchParams.set('name', name);
  if (id) target.searchParams.set('id', id);
  const headers = { authorization: `Bearer ${PBX_KEY}`, 'content-type': 'audio/wav' };
  const answer = await timed(target, { method: 'POST', headers, body: audio });
  const { data, messages } = (await answer.json()) as Envelope<{ id: string }>;
  if (!answer.ok) throw new ApiError(answer.status, messages);
  console.log(`uploaded  sound ${name}`);
  return data.id;
}

async function queue(wanted: typeof office.sales) {
  const { data: known } = await pbx.callQueues.getList(ALL);
  await keep(`queue ${wanted.name} <${wanted.extension}>`, pbx.callQueues, {
    id: known.find(({ id }) => id === wanted.id)?.id,
    wanted,
    created: async () => wanted,
  });
}

async function menu(wanted: ReturnType<typeof office.menu>) {
  const { data: known } = await pbx.ivrMenu.getList(ALL);
  await keep(`menu ${wanted.name} <${wanted.extension}>`, pbx.ivrMenu, {
    id: known.find(({ id }) => id === wanted.id)?.id,
    wanted,
    created: async () => wanted,
  });
}

/** Routes and rules are identified by their names. */
async function routesAndHours(closed: ReturnType<typeof office.closed>) {
  const { data: incoming } = await pbx.incomingRoutes.getList(ALL);
  for (const wanted of office.incoming)
    await keep(`incoming route ${wanted.rulename}`, pbx.incomingRoutes, {
      id: incoming.find(({ rulename }) => rulename === wanted.rulename)?.id,
      wanted,
      created: async () => wanted,
    });
  await keep('default route', pbx.incomingRoutes, {
    id: '1',
    wanted: office.everythingElse,
    created: async () => office.everythingElse,
  });
  const { data: rules } = await pbx.offWorkTimes.getList(ALL);
  for (const wanted of closed)
    await keep(`closed ${wanted.description}`, pbx.offWorkTimes, {
      id: rules.find(({ description }) => description === wanted.description)?.id,
      wanted,
      created: async () => wanted,
    });
  const { data: outbound } = await pbx.outboundRoutes.getList(ALL);
  for (const wanted of office.outbound)
    await keep(`outbound route ${wanted.rulename}`, pbx.outboundRoutes, {
      id: outbound.find(({ rulename }) => rulename === wanted.rulename)?.id,
      wanted,
      created: async () => wanted,
    });
}

try {
  await lines();
  await people();
  const sound = await soundIds();
  await queue(office.sales);
  await menu(office.menu(sound));
  await routesAndHours(office.closed(sound));
  const { state, until } = (await pbx.offWorkTimes.getState()).data;
  console.log(`the office is set up, and is ${state} now${until && ` until ${until}`}`);
} catch (error) {
  const { message, cause } = error as Error;
  const status = error instanceof ApiError ? ` (${error.status})` : '';
  const reason = cause instanceof Error ? `: ${cause.message || (cause as NodeJS.ErrnoException).code}` : '';
  console.error(`not done${status}: ${message}${reason}`);
  process.exitCode = 1;
}
