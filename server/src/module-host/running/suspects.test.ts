import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSuspects } from './suspects.ts';

let folder: string;
let now: number;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pbxcore-suspects-'));
  now = 1_000_000;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, 'suspects.json');
const start = () =>
  createSuspects({
    file: file(),
    clock: { now: () => now },
    windowMs: 300_000,
    onError(error) {
      throw error;
    },
  });

test('a thousand questions write the file only once', () => {
  const suspects = start();
  suspects.touch('Asks', 'talking to the exchange');
  const { ino } = statSync(file());
  for (let i = 0; i < 1000; i++) suspects.touch('Asks', 'talking to the exchange');
  expect(statSync(file()).ino).toBe(ino);
});

test('a module is listed with the work that says most about it', () => {
  const suspects = start();
  suspects.starting('Idle')();
  suspects.starting('Busy');
  suspects.begin('Busy', 'at a call');
  const later = start();
  expect([...later.all()]).toEqual([
    ['Busy', 'at a call'],
    ['Idle', 'starting'],
  ]);
});

test('a suspect stays one over later crashes and a planned end, until it is acquitted', () => {
  start().starting('Deadly');
  const second = start();
  expect(second.endsOf('Deadly')).toHaveLength(1);
  second.close();
  const third = start();
  expect([...third.all().keys()]).toEqual(['Deadly']);
  expect(third.endsOf('Deadly')).toHaveLength(1);
  third.begin('Deadly', 'under watch');
  const fourth = start();
  expect(fourth.endsOf('Deadly')).toHaveLength(2);
  fourth.acquit('Deadly');
  fourth.close();
  expect(existsSync(file())).toBe(false);
});

test('ends that are long ago no longer count', () => {
  start().begin('Once', 'at a call');
  const soon = start();
  expect(soon.endsOf('Once')).toEqual([now]);
  now += 300_001;
  expect(start().endsOf('Once')).toEqual([]);
});

test('what is written when the exchange dies stays, whatever happens while it closes', () => {
  const suspects = start();
  const ends = suspects.begin('Deadly', 'at a call');
  suspects.freeze();
  ends();
  suspects.begin('Other', 'at a call');
  suspects.close();
  expect([...start().all()]).toEqual([['Deadly', 'at a call']]);
});
