import { expect, test } from 'vitest';
import { PLAIN_CALL_FLOW } from '../../desired-call-flow.ts';
import { extension, queue } from '../../engine.suite.ts';
import type { Site } from '../site.ts';
import { readNumber } from './header-rule.ts';
import { renderDialplan } from './render-dialplan.ts';

const site = { recordingsDir: '/srv/recordings', journalFile: '/srv/journal.csv' } as Site;
const members = [{ number: '201', name: '', state: 'in', reason: '' }] as const;
const rendered = renderDialplan(
  {
    extensions: [extension('201')],
    providers: [],
    refusedSources: [],
    callFlow: { ...PLAIN_CALL_FLOW, queues: [queue('600', { members, strategy: 'growing' })] },
  },
  site,
).get('extensions.conf');
const headers = readNumber('CALLERID(num)', {
  source: 'from',
  customHeader: '',
  parserStart: '',
  parserEnd: '',
  parserRegex: '',
});
/** Values written by callers, providers and phones. */
const STRANGERS =
  /^(?:CALLERID\((?:name|num|dnid)\)|PJSIP_HEADER\(|CHANNEL\(pjsip,call-id\)|PBX_(?:DEVICES|HEADER)\b)/;

/** The names inside `${}`, with the number of functions around each. */
function* variables(step: string): Generator<{ name: string; depth: number }> {
  let depth = 0;
  for (let at = 0; at < step.length; at++) {
    if (step.startsWith('${', at)) yield { name: step.slice(at + 2), depth: depth++ };
    else if (step[at] === '}') depth--;
  }
}

test('text of strangers reaches functions only with its closing parentheses replaced', () => {
  const steps = [...(rendered ?? '').split('\n'), ...headers].filter((step) => !step.startsWith(';'));
  const found = steps.flatMap((step) =>
    [...variables(step)].flatMap(({ name, depth }) => (STRANGERS.test(name) ? { name, depth, step } : [])),
  );
  expect(found.filter(({ depth }) => depth > 0).map(({ step }) => step)).toEqual([]);
  const held = steps.flatMap(
    (step) => step.match(/\$\{REPLACE\([A-Z_]+(?:\([a-z,-]+\)|\(read,[A-Za-z-]+\))?,\\\\x29,\\x01\)/g) ?? [],
  );
  expect(held.length).toBeGreaterThan(20);
  console.info(`${held.length} texts of strangers as arguments`);
});
