import { expect, test } from 'vitest';
import type { Site } from '../site.ts';
import { encodedText, LINE_BYTES, ROOM } from './journal-format.ts';
import { renderDialplan } from './render-dialplan.ts';

const site = { recordingsDir: '/srv/recordings', journalFile: '/srv/journal.csv' } as Site;
const routes =
  renderDialplan({ extensions: [], providers: [], refusedSources: [] }, site).get('extensions.conf') ?? '';

/** The longest value of a field of our events, by the expression for it in the dialplan. */
const LONGEST: readonly (readonly [RegExp, string])[] = [
  [/=\$\{BASE64_ENCODE\(\.\$\{[^}]*:0:(\d+)\}\)\}/, ''],
  [/\$\{UNIQUEID\}-\$\{(?:PBX_COUNT|SET\([^}]*\}[^}]*)\}/, `pbx012345-1763400000.4294967295-999`],
  [/\$\{CHANNEL\(linkedid\)\}-0/, `pbx012345-1763400000.4294967295-0`],
  [/\$\{PBX_STAY\}/, `pbx012345-1763400000.4294967295-999`],
  // The callee's name, rendered with the number; a longer one comes as the argument of pbx-long-names.
  [/\$\{(?:ARG[246]|PBX_CALLEE|PBX_(?:FROM|TO)_NAME)\}/, encodedText('x'.repeat(ROOM.name))],
  [/\$\{EXTEN\}|\$\{PBX_(?:DID|NUMBER|DST)\}/, '7'.repeat(79)],
  [/\$\{PBX_(?:FROM|TO)\}/, `SIP-PROVIDER-${'a'.repeat(64)}`],
  [/\$\{PBX_TRANSFER\}/, '1'],
  [/\$\{PBX_STATUS\}|\$\{GOSUB_RETVAL\}/, 'CHANUNAVAIL'],
  [/\$\{FILTER\(0-9,\$\{ARG2\}\)\}/, '7'.repeat(79)],
  [/\$\{PBX_NIGHT\}/, 'closed'],
  [/\$\{PBX_ENTRIES\}/, '7'.repeat(250)],
  [/\$\{ARG9\}/, encodedText('x'.repeat(ROOM.name))],
  [/\$\{PBX_FILE\}/, '2026/11/17/19/pbx012345-1763400000.4294967295-999.wav'],
];

function longest(field: string, context: string): string {
  if (field === '${ARG1}' && context === 'pbx-odd-number') return encodedText('x'.repeat(ROOM.number));
  if (field === '${ARG1}')
    return context === 'pbx-long-names'
      ? encodedText('x'.repeat(400))
      : 'pbx012345-1763400000.4294967295-999';
  // A member's name, which has no other name beside it in the line.
  if (field === '${ARG2}' && context.startsWith('pbx-rung')) return encodedText('x'.repeat(400));
  if (/^[\w-]*$/.test(field)) return field;
  const [pattern, text] = LONGEST.find(([known]) => new RegExp(`^(?:${known.source})$`).test(field)) ?? [];
  if (!pattern) throw new Error(`${field} is not known to have an end`);
  const bytes = pattern.exec(field)?.[1];
  return bytes === undefined ? (text ?? '') : encodedText('x'.repeat(Number(bytes)));
}

/** The text up to the closing parenthesis. */
function inside(text: string): string {
  let depth = 1;
  const end = [...text].findIndex((sign) => {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
    return depth === 0;
  });
  return text.slice(0, end);
}

test('every placeholder in the logic is replaced', () => {
  expect(routes.replace(/^;.*$/gm, '').match(/@[a-z-]+@/g)).toBeNull();
});

test('no line of the journal can be so long that the engine cuts it', () => {
  const lines = routes.split(/^(?=\[)/m).flatMap((section) => {
    const [, context = ''] = /^\[([\w-]+)\]/.exec(section) ?? [];
    return section
      .split('CELGenUserEvent(')
      .slice(1)
      .map((text) => {
        const [, type = '', event = ''] = /^([\w-]+),(.*)$/.exec(inside(text)) ?? [];
        const fields = event.split('|');
        const id = 'pbx012345-1763400000.4294967295';
        const channel = `PJSIP/${'p'.repeat(40)}-0000002a`;
        const extra = fields.map((field) => longest(field, context)).join('|');
        return `${type},1763400000.123456,${id},${id},"${channel}","{""extra"":""${extra}""}"`;
      });
  });
  expect(lines.length).toBeGreaterThan(10);
  console.info(
    `${lines.length} events, the longest line has ${Math.max(...lines.map((line) => line.length))} bytes`,
  );
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(LINE_BYTES);
});
