import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSql, type Sql } from '../../../store/sql/open.ts';
import { createDirectory, type Directory } from '../directory/directory.ts';
import { createEmployeeDirectory, type EmployeeDirectory } from './employee-directory.ts';
import { DEFAULTS, type EmployeeFields } from './employee-fields.ts';
import {
  createEmployeeStore,
  type EmployeeStore,
  type EmployeeWriter,
  KEPT_VERSIONS,
} from './employees.store.ts';

let folder: string;
let now: number;
let sql: Sql;
let desk: Directory;
let store: EmployeeStore;
let directory: EmployeeDirectory;

beforeEach(async () => {
  now = 0;
  folder = await mkdtemp(join(tmpdir(), 'pbxcore-directory-'));
  sql = await openSql({ file: join(folder, 'x.sqlite') });
  const clock = { now: () => now };
  desk = await createDirectory({
    db: sql.db,
    clock,
    onError: () => expect.unreachable(),
    reserved: { emergency: [], features: {} },
  });
  store = createEmployeeStore({ db: sql.db, clock, numbers: desk });
  directory = await createEmployeeDirectory({
    db: sql.db,
    clock: { now: () => 0 },
    onError: (error) => {
      throw error;
    },
  });
});
afterEach(async () => {
  directory.close();
  await desk.close();
  await sql.close();
  rmSync(folder, { recursive: true });
});

const person = (number: string, fields: Partial<EmployeeFields> = {}): EmployeeFields => ({
  ...DEFAULTS,
  number,
  user_username: `Person ${number}`,
  sip_secret: 'correct-horse',
  ...fields,
});
const renumber = async (writer: EmployeeWriter, id: number, number: string) =>
  writer.update([{ before: await writer.find(id), after: person(number) }]);
const add = (...numbers: string[]) =>
  store.write((writer) => writer.insert(numbers.map((number) => person(number))));
const remove = (id: number) => store.write(async (writer) => writer.delete(await writer.find(id)));
const numbers = () => directory.all().map(({ number }) => number);

test('the directory follows creates, changes and deletions, and notifies its listeners', async () => {
  let changes = 0;
  directory.onChange(() => changes++);
  const [one = 0, two = 0] = await add('30', '201');
  await directory.follow();
  expect(numbers()).toEqual(['30', '201']);
  expect(directory.byNumber('201')).toMatchObject({
    id: two,
    user_username: 'Person 201',
    sip_secret: 'correct-horse',
  });

  await store.write((writer) => renumber(writer, two, '205'));
  await directory.follow();
  expect(numbers()).toEqual(['30', '205']);
  expect(directory.byNumber('201')).toBeUndefined();

  await remove(one);
  await add('30');
  await directory.follow();
  expect(directory.byNumber('30')?.id).not.toBe(one);
  expect(directory.size()).toBe(2);
  expect(changes).toBe(3);

  await directory.follow();
  expect(changes).toBe(3);
});

test('numbers that change hands in one step belong to their new holders afterwards', async () => {
  const [one = 0, two = 0] = await add('201', '202');
  await directory.follow();
  await store.write(async (writer) => {
    await renumber(writer, one, '203');
    await renumber(writer, two, '201');
  });
  await directory.follow();
  expect(directory.byNumber('201')?.id).toBe(two);
  expect(directory.byNumber('202')).toBeUndefined();
  expect(directory.byNumber('203')?.id).toBe(one);
});

test('a directory that missed more deletions than are remembered reads everything again', async () => {
  const [gone = 0] = await add('201', '202');
  await directory.follow();
  await remove(gone);
  await sql.db
    .updateTable('employee_changes')
    .set({ version: KEPT_VERSIONS * 3 })
    .execute();
  now = 91 * 86_400_000;
  const [other = 0] = await add('203');
  await store.write(async (writer) => {
    await writer.delete(await writer.find(other));
    await writer.forgetOldDeletions();
  });
  expect(await sql.db.selectFrom('employee_deletions').selectAll().execute()).toHaveLength(1);
  await directory.follow();
  expect(numbers()).toEqual(['202']);
});

test('a failed write leaves no trace, not even in the version', async () => {
  await add('201');
  const version = () => sql.db.selectFrom('employee_changes').select('version').executeTakeFirstOrThrow();
  const before = await version();
  await expect(add('202', '201')).rejects.toThrow();
  expect(await version()).toEqual(before);
  await directory.follow();
  expect(numbers()).toEqual(['201']);
});

test('the list of ten thousand employees is built once, not on every request', async () => {
  for (let from = 10_000; from < 20_000; from += 1000)
    await add(...Array.from({ length: 1000 }, (_, i) => String(from + i)));
  await directory.follow();
  expect(directory.all()).toHaveLength(10_000);
  expect(directory.all()).toBe(directory.all());
});
