import { describe, expect, test } from 'vitest';
import {
  CsvProblem,
  csvLine,
  detectDelimiter,
  MAX_CELL,
  MAX_COLUMNS,
  neutralised,
  parseCsv,
  restored,
} from './csv.ts';

const parse = (text: string, delimiter = ',', maxRows = 100) => parseCsv(text, { delimiter, maxRows });
const cellsOf = (text: string, delimiter?: string) => parse(text, delimiter).map(({ cells }) => cells);

describe('contract 3.5: CSV text', () => {
  test.each([
    ['plain', ['a', 'b c', ''], 'a,b c,\r\n'],
    ['a delimiter', ['udp,tcp'], '"udp,tcp"\r\n'],
    ['a quote', ['say "hi"'], '"say ""hi"""\r\n'],
    ['line breaks', ['a\r\nb', 'c\nd'], '"a\r\nb","c\nd"\r\n'],
    ['white space at the ends', [' a '], '" a "\r\n'],
  ])('%s is written as in RFC 4180', (_, cells, line) => {
    expect(csvLine(cells)).toBe(line);
  });

  test.each([
    ['=1+1', "'=1+1"],
    ['+1-2', "'+1-2"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ['+', "'+"],
    ['+4930123', '+4930123'],
    ['4930123', '4930123'],
    ["O'Neill", "O'Neill"],
    ["'quoted'", "'quoted'"],
    ['', ''],
  ])('the cell %j is written as %j', (cell, written) => {
    expect(neutralised(cell)).toBe(written);
    expect(restored(written)).toBe(cell);
  });

  test.each(["'=x", "''=x", "'+49", "'", "''", '=', "'-"])('the cell %j is read back unchanged', (cell) => {
    expect(restored(neutralised(cell))).toBe(cell);
    expect(cellsOf(csvLine([cell, 'x']))[0]?.map(restored)).toEqual([cell, 'x']);
  });

  test('any cells that were written are read back unchanged', () => {
    const alphabet = ['a', '"', ',', ';', '\t', '\r', '\n', '\r\n', "'", '=', '+', ' ', '😀', '\u202e', '1'];
    let seed = 7;
    const next = (n: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % n;
    };
    for (let round = 0; round < 2000; round++) {
      const cells = Array.from({ length: 2 + next(3) }, () =>
        Array.from({ length: next(6) }, () => alphabet[next(alphabet.length)]).join(''),
      );
      expect(cellsOf(csvLine(cells)).map((row) => row.map(restored))).toEqual([cells]);
    }
  });

  test('line ends may be CRLF, LF or CR, the last one may be absent, and blank lines are left out', () => {
    for (const end of ['\r\n', '\n', '\r']) {
      expect(cellsOf(['a,b', '', '1,2', '3,4'].join(end))).toEqual([
        ['a', 'b'],
        ['1', '2'],
        ['3', '4'],
      ]);
    }
  });

  test('a row has its line number, even after line breaks inside cells and blank lines', () => {
    expect(parse('h\r\n"a\nb\r\nc"\r\n\r\nd').map(({ line }) => line)).toEqual([1, 2, 6]);
  });

  test('a byte order mark is not part of the first name', () => {
    expect(cellsOf('\ufeffnumber,x')).toEqual([['number', 'x']]);
  });

  test.each([
    ['number,user_username', ','],
    ['number;user_username', ';'],
    ['number\tuser_username', '\t'],
    ['"number";"user_username"\r\n1,2,3,4,5;x', ';'],
    ['number', ','],
  ])('the delimiter of %j is found', (text, delimiter) => {
    expect(detectDelimiter(text, new Set(['number', 'user_username']))).toBe(delimiter);
  });

  test.each([
    ['a,"b', 'line 1: a quote is not closed'],
    ['a\r\nb,"c"d', 'line 2: text follows a closing quote'],
    ['a\r\nb"c', 'line 2: there is a quote inside an unquoted cell'],
    ['a\r\n1\r\n2\r\n3', 'at most 2 rows below the header'],
  ])('%j is refused', (text, problem) => {
    expect(() => parse(text, ',', 3)).toThrow(new CsvProblem(problem));
  });

  // Text after a bound would be a problem of its own: as it is not reported, it was not read.
  const BROKEN = '\n"a"b';
  test.each([
    ['columns of the header', `${','.repeat(MAX_COLUMNS)}${BROKEN}`, 'line 1: at most 200 columns'],
    ['columns of a row', `a\n${'"x",'.repeat(MAX_COLUMNS)}${BROKEN}`, 'line 2: at most 200 columns'],
    ['a cell', `a\n${'x'.repeat(MAX_CELL + 1)}"`, 'line 2: at most 10000 characters in a cell'],
    ['a quoted cell', `a\n"${'x'.repeat(MAX_CELL + 1)}`, 'line 2: at most 10000 characters in a cell'],
    ['a cell of quotes', `a\n"${'""'.repeat(MAX_CELL + 1)}`, 'line 2: at most 10000 characters in a cell'],
    ['a cell of line ends', `a\n"${'\r\n'.repeat(MAX_CELL)}`, 'line 2: at most 10000 characters in a cell'],
    ['blank lines', `a${'\r\n'.repeat(10_002)}${BROKEN}`, 'at most 10000 blank lines'],
    ['rows', `a\n${'x\n'.repeat(100)}${BROKEN}`, 'at most 99 rows below the header'],
  ])('reading stops where the bound of %s is crossed', (_, text, problem) => {
    expect(() => parse(text)).toThrow(new CsvProblem(problem));
  });

  test('text that is just within the bounds is read', () => {
    expect(cellsOf('x,'.repeat(MAX_COLUMNS - 1))[0]).toHaveLength(MAX_COLUMNS);
    expect(cellsOf(`a,${'x'.repeat(MAX_CELL)}`)[0]?.[1]).toHaveLength(MAX_CELL);
    expect(cellsOf(`a,"${'""'.repeat(MAX_CELL)}"`)[0]?.[1]).toBe('"'.repeat(MAX_CELL));
    expect(cellsOf(`a${'\n'.repeat(10_001)}b`)).toHaveLength(2);
  });

  test('the delimiter is searched for in as many columns as are allowed', () => {
    const names = new Set(['number']);
    expect(detectDelimiter(`${';'.repeat(MAX_COLUMNS - 1)}number`, names)).toBe(';');
    expect(detectDelimiter(`${';'.repeat(MAX_COLUMNS)}number`, names)).toBe(',');
    expect(detectDelimiter(`${' '.repeat(70_000)};number`, names)).toBe(',');
  });
});

test.each(['sep=;\r\n', '\ufeffSEP=;\n', 'sep=;\r'])(
  'a first line %j names the delimiter and is no row',
  (line) => {
    const text = `${line}a,b;c\r\n1;2\r\n`;
    const delimiter = detectDelimiter(text, new Set(['a', 'b']));
    expect(delimiter).toBe(';');
    expect(parseCsv(text, { delimiter, maxRows: 9 })).toEqual([
      { line: 2, cells: ['a,b', 'c'] },
      { line: 3, cells: ['1', '2'] },
    ]);
  },
);

test('a column name may look like that first line', () => {
  expect(parseCsv('sep=x,b\n', { delimiter: ',', maxRows: 9 })).toEqual([{ line: 1, cells: ['sep=x', 'b'] }]);
});
