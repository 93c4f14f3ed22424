import fc from 'fast-check';
import { ADMIN_PASSWORD } from '../make-app.ts';
import type { Dice } from './dice.ts';
import { hostileText, hostileValue } from './hostile.ts';

// biome-ignore lint/suspicious/noExplicitAny: a JSON document is looked into freely
export type Json = any;

/** Texts that the service accepts for a field of this name, which a schema cannot express. */
const GOOD: Readonly<Record<string, readonly string[]>> = {
  ip: ['203.0.113.7', '2001:db8::7', '198.51.100.0/24'],
  range: ['198.51.100.0/24'],
  value: ['203.0.113.7'],
  network: ['10.0.0.0', '192.0.2.0', '2001:db8::'],
  subnet: ['24', '32'],
  networkfilterid: ['none'],
  sip_networkfilterid: ['none'],
  allowed_paths: ['{"/api/v3/cdr":"read"}', '{}'],
  permit: ['198.51.100.0/24', '198.51.100.0/24,2001:db8::/32'],
  deny: ['203.0.113.0/24'],
  whitelist: ['192.0.2.1 198.51.100.0/25', ''],
  host: ['sip.example.org', '192.0.2.80'],
  address: ['sip.example.org', '192.0.2.0/28', '192.0.2.7', '2001:db8::7'],
  user_email: ['anna@example.org', ''],
  time_from: ['09:00'],
  time_to: ['17:30'],
  date_from: [''],
  date_to: [''],
  timezone: ['Europe/Berlin', ''],
  numberbeginswith: ['', '7', '(7|8)', '00'],
  restnumbers: ['-1', '10'],
  numbers: ['210,4930123', '+491701234567', '*45'],
  dateFrom: ['2026-03-01', '2026-05-04T00:00:00', '2026-03-29 02:30:00'],
  dateTo: ['2026-05-05', '2026-05-04T23:59:59'],
  ics: [
    'BEGIN:VEVENT\r\nDTSTART:20260501\r\nRRULE:FREQ=YEARLY\r\nEND:VEVENT\r\n',
    'BEGIN:VEVENT\nDTSTART;TZID=Europe/Berlin:20260501T100000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=9\nEND:VEVENT',
    'BEGIN:VEVENT\nDTSTART;',
  ],
  csv: ['number,user_username,sip_secret\r\n301,Ann,correct-horse\r\n', 'number\n"', 'number,number\n1,2'],
  login: ['admin'],
  password: [ADMIN_PASSWORD, 'wrong'],
};

/** The same for fields whose name has several meanings: targets of calls, members of queues, sounds. */
const GOOD_BY_PATTERN: Readonly<Record<string, readonly string[]>> = {
  '^(|\\+?\\d{1,20}|hangup|busy|did2user|voicemail)$': ['210', '215', '229', 'hangup', 'busy'],
  '^(\\+?\\d{1,20}|hangup|busy|did2user|voicemail)$': ['210', '215', '229', 'hangup', 'busy'],
  '^\\+?\\d{1,20}$': ['210', '211', '228'],
  '^(|none|\\d{1,9})$': ['', 'none'],
  '^(\\d{1,15}|none|)$': ['', 'none'],
};

export interface Values {
  /** A value that the schema allows. */
  valid(dice: Dice, schema: Json, name?: string): unknown;
  /** A value at or beyond the schema's limits, or of another type. */
  wrong(dice: Dice, schema: Json): unknown;
}

export function createValues(seed: number): Values {
  const matching = new Map<string, readonly string[]>();
  function textsMatching(pattern: string): readonly string[] {
    let texts = matching.get(pattern);
    if (!texts) {
      texts = fc.sample(fc.stringMatching(new RegExp(pattern)), { seed, numRuns: 40 });
      matching.set(pattern, texts);
    }
    return texts;
  }

  function valid(dice: Dice, schema: Json, name = ''): unknown {
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return dice.pick(schema.enum);
    const good = GOOD_BY_PATTERN[schema.pattern] ?? GOOD[name];
    if (good && dice.chance(0.9)) return dice.pick(good);
    const several = schema.anyOf ?? schema.oneOf;
    if (several) return valid(dice, dice.pick(several), name);
    if (schema.examples && dice.chance(0.5)) return dice.pick(schema.examples);
    if (schema.default !== undefined && dice.chance(0.2)) return schema.default;
    const type = Array.isArray(schema.type) ? dice.pick(schema.type) : schema.type;
    switch (type) {
      case 'object':
        return Object.fromEntries(
          Object.entries<Json>(schema.properties ?? {})
            .filter(([key]) => schema.required?.includes(key) || dice.chance(0.5))
            .map(([key, property]) => [key, valid(dice, property, key)]),
        );
      case 'array': {
        const length = Math.min(schema.maxItems ?? 3, (schema.minItems ?? 0) + dice.number(3));
        return Array.from({ length }, () => valid(dice, schema.items ?? {}));
      }
      case 'integer':
      case 'number':
        return edge(dice, schema.minimum ?? 0, schema.maximum ?? 10_000);
      case 'boolean':
        return dice.chance(0.5);
      case 'null':
        return null;
      case 'string':
        return validText(dice, schema);
      default:
        return hostileValue(dice);
    }
  }

  function validText(dice: Dice, schema: Json): string {
    if (schema.minimum !== undefined) return String(edge(dice, schema.minimum, schema.maximum));
    const { minLength = 0, maxLength = 20 } = schema;
    if (schema.pattern) {
      const fitting = textsMatching(schema.pattern).filter(
        (text) => text.length >= minLength && text.length <= Math.max(maxLength, minLength),
      );
      if (fitting.length > 0) return dice.pick(fitting);
    }
    const length = dice.chance(0.1) ? maxLength : Math.max(minLength, Math.min(maxLength, 12));
    return 'Abc Example 1234 \u00e4\u00f6'
      .repeat(Math.ceil(length / 18) || 1)
      .slice(0, length)
      .trimEnd()
      .padEnd(minLength, 'x');
  }

  const edge = (dice: Dice, low: number, high: number): number =>
    dice.pick([low, high, low + dice.number(Math.max(1, high - low))]);

  function wrong(dice: Dice, schema: Json): unknown {
    const edges: unknown[] = [];
    if (schema.minimum !== undefined) edges.push(schema.minimum - 1, String(schema.minimum - 1));
    if (schema.maximum !== undefined) edges.push(schema.maximum + 1, String(schema.maximum + 1));
    if (schema.minLength > 0) edges.push('x'.repeat(schema.minLength - 1));
    if (schema.maxLength !== undefined)
      edges.push(
        'x'.repeat(schema.maxLength + 1),
        '\u{1f600}'.repeat(schema.maxLength),
        '9'.repeat(schema.maxLength),
      );
    if (schema.maxItems !== undefined) edges.push(Array(schema.maxItems + 1).fill({}));
    if (schema.enum) edges.push(String(schema.enum[0]).toUpperCase(), [schema.enum[0]]);
    if (edges.length > 0 && dice.chance(0.4)) return dice.pick(edges);
    return dice.chance(0.5) ? hostileText(dice) : hostileValue(dice);
  }

  return { valid, wrong };
}
