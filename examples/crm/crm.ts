// A CRM that works with the exchange, over the generated client in packages/client; Node 24 runs it as it is:
//   PBX_KEY=<API key> node examples/crm/crm.ts hire "Anna Example" anna@example.org
//   PBX_KEY=<API key> node examples/crm/crm.ts sync
//   PBX_KEY=<API key> node examples/crm/crm.ts who
import { readFile, rename, writeFile } from 'node:fs/promises';
import { ApiError, type CallLeg, createClient } from '@pbxcore/client';

const { PBX_URL = 'http://127.0.0.1:8080', PBX_KEY = '', CRM_FILE = 'crm.json' } = process.env;
const timed: typeof fetch = (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(10_000) });
const pbx = createClient({ url: PBX_URL, credential: PBX_KEY, fetch: timed });

/** The CRM's data: the call history, and up to which leg and deletion it has read. All are written together. */
type History = { lastId: number; deletions: number; legs: CallLeg[] };

async function readHistory(): Promise<History> {
  try {
    return { deletions: 0, ...JSON.parse(await readFile(CRM_FILE, 'utf8')) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { lastId: 0, deletions: 0, legs: [] };
    throw error;
  }
}

async function writeHistory(history: History) {
  await writeFile(`${CRM_FILE}.new`, JSON.stringify(history));
  await rename(`${CRM_FILE}.new`, CRM_FILE);
}

async function hire(name = '', email = '') {
  // The exchange proposes a free number and a strong secret for the phone.
  const { data: proposal } = await pbx.employees.getDefault();
  const { number, sip_secret } = proposal;
  const { data } = await pbx.employees.create({ number, sip_secret, user_username: name, user_email: email });
  console.log(`${data.user_username} has number ${data.number}`);
}

/** Flat legs by ascending id: the next page begins after the last id, so nothing is missed in between. */
async function sync() {
  const page = { grouped: false, limit: 100 } as const;
  const history = await readHistory();
  for (let hasMore = true; hasMore; ) {
    const { data } = await pbx.cdr.getList({ ...page, idFrom: history.lastId });
    for (const leg of data.records) {
      if ('records' in leg) continue; // a whole call, returned only with `grouped`
      history.legs.push(leg);
      console.log(`${leg.start} ${leg.src_num} -> ${leg.dst_num} ${leg.disposition} ${leg.billsec} s`);
    }
    history.lastId = data.pagination.lastId ?? history.lastId;
    hasMore = data.pagination.hasMore;
    await writeHistory(history);
  }
  await syncDeletions(history);
  console.log(`${history.legs.length} legs known`);
}

/** After the legs: those deleted before they were read are not among them, those deleted since are listed here. */
async function syncDeletions(history: History) {
  for (let hasMore = true; hasMore; ) {
    const { data } = await pbx.cdr.getList({ deletedSince: history.deletions, limit: 100 });
    if (!data.deleted) throw new Error('this exchange does not report deletions');
    const gone = new Set(data.deleted.legs);
    history.legs = history.legs.filter(({ id }) => !gone.has(id));
    history.deletions = data.deleted.cursor;
    hasMore = data.deleted.hasMore;
    await writeHistory(history);
  }
}

async function who() {
  const [{ data: statuses }, { data: calls }] = await Promise.all([
    pbx.sip.getStatuses(),
    pbx.pbxStatus.getActiveCalls(),
  ]);
  const talking = new Set(calls.flatMap(({ src_num, dst_num }) => [src_num, dst_num]));
  for (const record of Object.values(statuses)) {
    const name = 'callerid' in record ? record.callerid : '';
    const state = talking.has(record.extension) ? 'on the phone' : record.status.toLowerCase();
    console.log(`${record.extension} ${name}: ${state}`);
  }
}

const [command = '', ...words] = process.argv.slice(2);
const run = { hire: () => hire(...words), sync, who }[command];
try {
  if (!run) throw new Error('say hire <name> [<e-mail>], sync or who');
  await run();
} catch (error) {
  const status = error instanceof ApiError ? ` (${error.status})` : '';
  console.error(`not done${status}: ${(error as Error).message}`);
  process.exitCode = 1;
}
