import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DesiredExtension, DesiredProvider, DesiredState, HeaderRule } from '../../desired-state.ts';
import { extension } from '../../engine.suite.ts';
import { parseConfig } from '../config/parse.suite.ts';
import type { Site } from '../site.ts';
import { providerKey } from './contexts.ts';
import { LEG_EVENTS } from './journal-format.ts';
import { renderDialplan } from './render-dialplan.ts';

const NO_RULE: HeaderRule = {
  source: 'default',
  customHeader: '',
  parserStart: '',
  parserEnd: '',
  parserRegex: '',
};
const provider = (id: string, fields: Partial<DesiredProvider> = {}): DesiredProvider => ({
  id,
  description: id,
  registration: 'none',
  host: 'provider.example',
  port: 5060,
  additionalHosts: [],
  username: '',
  secret: '',
  transports: ['udp'],
  dtmfMode: 'auto',
  qualifySeconds: 0,
  fromUser: '',
  fromDomain: '',
  hidesFromUser: false,
  outboundProxy: '',
  manualAttributes: '',
  callerIdRule: NO_RULE,
  didRule: NO_RULE,
  ...fields,
});

const render = (state: Partial<DesiredState>) =>
  renderDialplan({ extensions: [], providers: [], refusedSources: [], ...state }, {
    recordingsDir: '/srv/recordings',
    journalFile: '/srv/journal.csv',
  } as Site).get('extensions.conf') ?? '';

/** The extensions of a context, each with its applications, as the engine reads them. */
function contextOf(text: string, name: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const section = parseConfig(text).find((candidate) => candidate.name === name);
  let steps: string[] = [];
  for (const [key, value] of section?.settings ?? []) {
    const [, number = '', step = ''] = /^([^,]*),1,(.*)$/s.exec(value) ?? [];
    if (key === 'exten') {
      steps = [step];
      found.set(number, steps);
    } else steps.push(value.replace(/^n(\(\w+\))?,/, ''));
  }
  return found;
}
const employeeLine = (fields: Partial<DesiredExtension>) =>
  contextOf(render({ extensions: [extension('201', fields)] }), 'pbx-employees').get('201');

test.each<[string, Partial<DesiredExtension>, string]>([
  ['rings until the caller gives up without a forward', { ringSeconds: 20 }, 'pbx-ring,201,1(0,600,,,,)'],
  [
    'rings so long before it is forwarded',
    { ringSeconds: 20, forward: { onNoAnswer: '202', onBusy: '+4930123', onUnavailable: '203' } },
    'pbx-ring,201,1(0,20,202,+4930123,203,)',
  ],
  [
    'is forwarded at once with a ring length of 0',
    { ringSeconds: 0, forward: { onNoAnswer: '202', onBusy: '', onUnavailable: '' } },
    'pbx-next,201,1(202,19)',
  ],
  [
    'ends the call or is busy by word',
    { ringSeconds: 9, forward: { onNoAnswer: 'hangup', onBusy: 'busy', onUnavailable: 'voicemail' } },
    'pbx-ring,201,1(0,9,hangup,busy,hangup,)',
  ],
  ['is recorded', { isRecorded: true }, 'pbx-ring,201,1(1,600,,,,)'],
])('a phone %s', (_, fields, line) =>
  expect(employeeLine({ name: '', ...fields })).toEqual([`Gosub(${line})`]),
);

test.each([
  ['', '0,+491701234567,,=LkFubg=='],
  ['0491701234567', '0,0491701234567,,=LkFubg=='],
  ['0170 12-34@SIP-2', `0,01701234,${providerKey('SIP-2')},=LkFubg==`],
  ['PJSIP/SIP-2/0170', `0,0170,${providerKey('SIP-2')},=LkFubg==`],
  ['0170@SIP-unknown', '0,+491701234567,,=LkFubg=='],
  ['Local/1@x,30,G(y)', '0,+491701234567,,=LkFubg=='],
])('a mobile phone is reached over its dial string %j', (dialString, line) => {
  const owner = extension('201', { name: 'Ann', mobile: { number: '+491701234567', dialString } });
  const text = render({ extensions: [owner], providers: [provider('SIP-1'), provider('SIP-2')] });
  expect(contextOf(text, 'pbx-mobiles').get('+491701234567')).toEqual([
    `Gosub(pbx-out,+491701234567,1(${line}))`,
  ]);
});

test.each(['+491701', '491701'])(
  'contract 20.2: %s is the same mobile with and without its plus',
  (number) => {
    const [anna, ben] = [number, '491702'].map((mobile, at) =>
      extension(String(201 + at), { name: 'Ann', mobile: { number: mobile, dialString: '0170@SIP-1' } }),
    );
    const again = extension('203', { mobile: { number: '+491702', dialString: '' } });
    const text = render({ extensions: [anna, ben, again] as never, providers: [provider('SIP-1')] });
    const line = (dialled: string) => [
      dialled,
      [`Gosub(pbx-out,${dialled},1(0,0170,${providerKey('SIP-1')},=LkFubg==))`],
    ];
    expect(contextOf(text, 'pbx-mobiles')).toEqual(
      new Map(['491701', '+491701', '491702', '+491702'].map(line) as [string, string[]][]),
    );
  },
);

test('providers are tried in the order of the state, even with long names', () => {
  const long = `SIP-PROVIDER-${'a'.repeat(64)}`;
  const text = render({ providers: [provider('SIP-B'), provider(long)] });
  const [order] = contextOf(text, 'pbx-provider-order').get('s') ?? [];
  expect(order).toBe(`Return(${providerKey('SIP-B')}-${providerKey(long)}-)`);
  const providers = contextOf(text, 'pbx-providers');
  const [first, second] = ['SIP-B', long].map((id) => providers.get(providerKey(id)));
  expect(first).toEqual(['Return(SIP-B,SIP-B)']);
  expect(second?.[0]).toMatch(/^Return\(SIP-[0-9a-f]{24},SIP-PROVIDER-a{64}\)$/);
  for (const { name } of parseConfig(text)) expect(name.length).toBeLessThan(80);
});

test('without stored routes, calls from outside reach internal numbers and nobody else', () => {
  expect([...contextOf(render({}), 'pbx-routes')]).toEqual([['1', ['Gosub(pbx-route,1,1(,0,,,,1))']]]);
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.constantFrom(
    'Ann\r\n[pbx-route]\nexten => _X.,1,System(id)',
    '${SHELL(id)}',
    '$[1+1]',
    'a,b)|&;"\'\\',
    ';--',
    '--;',
    '#exec id',
    '%s%00%',
  ),
);
const rule = fc.record({
  source: fc.oneof(hostile, fc.constantFrom('default', 'from', 'rpid', 'pai', 'to', 'diversion', 'custom')),
  customHeader: fc.oneof(hostile, fc.constant('X-Did')),
  parserStart: hostile,
  parserEnd: hostile,
  parserRegex: hostile,
});

test('whatever people enter, the dialplan has the same extensions, and every line has one of our forms', () => {
  const known = new Set(render({}).split('\n'));
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.record({
          number: fc.oneof(fc.stringMatching(/^\d{2,8}$/), hostile),
          name: hostile,
          mobile: hostile,
          dialString: hostile,
          target: hostile,
        }),
        { selector: ({ number }) => number, maxLength: 5 },
      ),
      rule,
      rule,
      (people, callerIdRule, didRule) => {
        const extensions = people.map(({ number, name, mobile, dialString, target }) =>
          extension(number, {
            name,
            mobile: { number: mobile, dialString },
            forward: { onNoAnswer: target, onBusy: target, onUnavailable: target },
          }),
        );
        const text = render({ extensions, providers: [provider('SIP-1', { callerIdRule, didRule })] });
        const valid = people.filter(({ number }) => /^\d{1,20}$/.test(number));
        const employees = contextOf(text, 'pbx-employees');
        expect([...employees.keys()].sort()).toEqual(valid.map(({ number }) => number).sort());
        for (const { number, name } of valid) {
          const [line = '', ...more] = employees.get(number) ?? [];
          expect(more).toEqual([]);
          const [, short = '-', long] =
            /^Gosub\(pbx-ring,\d+,1\(0,\d+(?:,(?:busy|hangup|[\d+*#]*)){3},(=[\w+/=]*|)(?:,(=[\w+/=]*))?\)\)$/.exec(
              line,
            ) ?? [];
          const shown = Buffer.from((long ?? short).slice(1), 'base64')
            .toString()
            .slice(1);
          expect(shown).toBe([...name.toWellFormed()].slice(0, 100).join(''));
        }
        for (const line of text.split('\n')) {
          if (known.has(line)) continue;
          expect(line).toMatch(
            /^(\[provider-[0-9a-f]{32}\]|exten => [\d+*#]+,1,Gosub\(pbx-(ring|out),[\d+*#]+,1\([\w=/,+*#-]*\)\)|exten => (s|[0-9a-f]{12}),1,Return\([\w,-]+\)| same => n,(Set|ExecIf|Goto)\(.*\)|exten => s,1,Set\(PBX_FROM=SIP-1\))$/,
          );
          const pattern = /PBX_PATTERN=(.*)\)$/.exec(line)?.[1];
          if (pattern) expect(pattern).toMatch(/^\$\{URIDECODE\([\w.%-]*\)\}$/);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('the dialplan writes exactly the events that are read', () => {
  const made = [...render({}).matchAll(/CELGenUserEvent\(([\w-]+),/g)].map(([, name]) => name);
  expect(new Set(made)).toEqual(new Set(Object.values(LEG_EVENTS)));
});

test('the journal uses only functions that the engine does not evaluate like a dialplan', () => {
  const files = renderDialplan({ extensions: [], providers: [], refusedSources: [] }, {
    recordingsDir: '/srv/recordings',
    journalFile: '/srv/journal.csv',
  } as Site);
  const [, columns = ''] = (files.get('cel_custom.conf') ?? '').split(' => ');
  const functions = [...columns.matchAll(/([A-Z_]+)\(/g)].map(([, name]) => name);
  expect(new Set(functions)).toEqual(new Set(['CHANNEL', 'CSV_QUOTE']));
});

test('every context that the dialplan jumps to exists', () => {
  const text = render({ providers: [provider('SIP-1')] });
  const contexts = new Set(parseConfig(text).map(({ name }) => name));
  const named = [...text.matchAll(/(?:Goto|Gosub|\?|[bU])\(?(pbx-[\w-]*\w)[,^]/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(20);
  for (const name of named) expect(contexts).toContain(name);
});

test('5 000 employees take one line each', () => {
  const extensions = Array.from({ length: 5000 }, (_, at) => extension(String(10_000 + at)));
  const few = render({ extensions: extensions.slice(0, 1) }).split('\n').length;
  expect(render({ extensions }).split('\n').length).toBe(few + 4999);
});

test('numbers come in descending order, which the engine reads fastest', () => {
  const text = render({ extensions: ['201', '202', '203'].map((number) => extension(number)) });
  expect([...contextOf(text, 'pbx-employees').keys()]).toEqual(['203', '202', '201']);
});
