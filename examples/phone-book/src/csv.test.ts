import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guarded, parseCsv, unguarded, writeCsv } from './csv.js';

const cells = (text: string) => parseCsv(text).map((row) => row.cells);

test('quotes, line breaks in cells, semicolons, a byte order mark and any line end are read', () => {
  assert.deepEqual(cells('\uFEFFa,b\r\n"x, ""y""\nz",2\n'), [
    ['a', 'b'],
    ['x, "y"\nz', '2'],
  ]);
  assert.deepEqual(cells('a;b\n1,5;2'), [
    ['a', 'b'],
    ['1,5', '2'],
  ]);
  assert.deepEqual(cells('\n\na,b\n\n1,2'), [
    ['a', 'b'],
    ['1', '2'],
  ]);
});

test('each row has the number of the line it begins on', () => {
  assert.deepEqual(
    parseCsv('a,b\r\n"1\n1",2\r\n\r\n3,4').map(({ line }) => line),
    [1, 2, 5],
  );
});

test('written rows are read back, and no cell is run as a formula', () => {
  const row = ['=1+1', '@x', 'plain', 'a "b", c', "'quoted'"];
  const [read] = cells(writeCsv([row.map(guarded)]));
  assert.ok(read?.every((cell) => !/^[=+\-@]/.test(cell)));
  assert.deepEqual(read?.map(unguarded), row);
});
