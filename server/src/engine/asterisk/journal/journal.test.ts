import { appendFile, mkdtemp, open as openFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import { EngineAway } from '../../../lib/errors.ts';
import { createJournal, type JournalPlace } from './journal.ts';

let dir: string;
let file: string;
let lines: string[];
let now: number;
let open: ReturnType<typeof createJournal>[];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'pbxcore-journal-'));
  file = join(dir, 'journal.csv');
  [lines, now, open] = [[], 1_000_000, []];
});
afterEach(async () => {
  for (const journal of open) await journal.close();
  await rm(dir, { recursive: true });
});

function begin(from?: JournalPlace, rotateBytes = 1_000_000, reopen?: () => Promise<unknown>) {
  const journal = createJournal({
    file,
    clock: { now: () => now },
    onLine: (line) => lines.push(line),
    onError: (error) => expect(error).toBeUndefined(),
    from,
    rotateBytes,
    ...(reopen && { reopen }),
  });
  open.push(journal);
  return journal;
}
const write = (...texts: string[]) => appendFile(file, texts.map((text) => `${text}\n`).join(''));

test('lines that are written before and after the start are read without a request', async () => {
  await write('a1', 'a2');
  begin();
  await eventually(() => expect(lines).toEqual(['a1', 'a2']));
  await write('a3');
  await eventually(() => expect(lines).toEqual(['a1', 'a2', 'a3']));
});

test('a line counts only when it is complete', async () => {
  const journal = begin();
  await appendFile(file, 'a1\na2 is no');
  await journal.catchUp();
  expect(lines).toEqual(['a1']);
  await appendFile(file, 't whole\n');
  await journal.catchUp();
  expect(lines).toEqual(['a1', 'a2 is not whole']);
});

test('reading from a saved place reports each line once', async () => {
  await write('a1', 'a2');
  const first = begin();
  await first.catchUp();
  const place = first.place();
  await first.close();
  await write('a3');
  const second = begin(place);
  await second.catchUp();
  expect(lines).toEqual(['a1', 'a2', 'a3']);
  expect(second.place()?.head).toBe('a1');
});

test('a journal that has grown is put aside, read to its end and then removed on request', async () => {
  const journal = begin(undefined, 10);
  await write('b1', 'b2', 'b3', 'b4');
  await journal.catchUp();
  const aside = `journal.csv.${now}`;
  expect(await readdir(dir)).toEqual([aside]);
  // A writer that had the file open when it was renamed
  await appendFile(join(dir, aside), 'b5\n');
  await write('c1');
  await journal.catchUp();
  expect(lines, 'not yet: somebody may still write to the old one').toEqual(['b1', 'b2', 'b3', 'b4', 'b5']);
  now += 2000;
  await journal.catchUp();
  expect(lines.at(-1)).toBe('c1');
  expect(journal.place()).toEqual({ head: 'c1', offset: 3 });
  expect(journal.done()).toEqual([aside]);
  await journal.remove(journal.done());
  expect(await readdir(dir)).toEqual(['journal.csv']);
});

test('a writer that keeps the file open is asked to open a new one; if that fails, it keeps the old one', async () => {
  let isAway = true;
  let asked = 0;
  const writer = await openFile(file, 'a');
  const journal = begin(undefined, 10, async () => {
    asked++;
    if (isAway) throw new EngineAway('nobody is there');
    await write('c1');
  });
  await writer.write('b1\nb2\nb3\nb4\n');
  await journal.catchUp();
  expect(await readdir(dir)).toEqual(['journal.csv']);
  await writer.write('b5\n');
  await journal.catchUp();
  expect(asked, 'once in a minute').toBe(1);
  isAway = false;
  now += 60_000;
  await journal.catchUp();
  expect(await readdir(dir)).toEqual(['journal.csv', `journal.csv.${now}`]);
  await writer.write('b6\n');
  await writer.close();
  await journal.catchUp();
  now += 2000;
  await journal.catchUp();
  expect(lines).toEqual(['b1', 'b2', 'b3', 'b4', 'b5', 'b6', 'c1']);
});

test('a new file that the writer opened without confirming it stays in use', async () => {
  const journal = begin(undefined, 10, async () => {
    await write('c1');
    throw new EngineAway('no answer');
  });
  await write('b1', 'b2', 'b3', 'b4');
  await journal.catchUp();
  now += 2000;
  await journal.catchUp();
  expect(lines).toEqual(['b1', 'b2', 'b3', 'b4', 'c1']);
});

test('a clock that is set back does not stop the reading', async () => {
  const journal = begin(undefined, 10);
  await write('b1', 'b2', 'b3', 'b4');
  await journal.catchUp();
  await write('c1');
  now -= 3_600_000;
  await journal.catchUp();
  expect(lines.at(-1)).toBe('c1');
});

test('a saved place is found in a file that was put aside since', async () => {
  await write('d1', 'd2', 'd3', 'd4');
  const first = begin(undefined, 1_000_000);
  await first.catchUp();
  const place = { head: first.place()?.head ?? '', offset: 6 };
  await first.close();
  lines = [];
  const other = begin(place, 10);
  await other.catchUp();
  await write('e1');
  await other.close();
  now += 2000;
  lines = [];
  const last = begin(place, 1_000_000);
  await last.catchUp();
  expect(lines).toEqual(['d3', 'd4', 'e1']);
});

test('a saved place that is found nowhere means reading from the beginning', async () => {
  await write('f1', 'f2');
  await begin({ head: 'something else', offset: 4 }).catchUp();
  expect(lines).toEqual(['f1', 'f2']);
});
