import { described, type Field, FieldProblem, optional } from '@pbxcore/module/fields';

/** Targets of calls besides numbers (contract 21). */
export const TARGET_WORDS = ['hangup', 'busy', 'did2user', 'voicemail'] as const;
export type TargetWord = (typeof TARGET_WORDS)[number];

const NUMBER = /^\+?\d{1,20}$/;
export const TARGET_RULE = `must be a number of 1..20 digits, or one of ${TARGET_WORDS.join(', ')}`;

/** A longer number is probably an outside one (contract 21). */
const INTERNAL_DIGITS = 8;

export const isTargetWord = (target: string): target is TargetWord =>
  (TARGET_WORDS as readonly string[]).includes(target);

/** The warning for a target that is allowed but does not do what it seems to (contract 21). */
export function targetWarning(target: string, isSomebodys: (number: string) => boolean): string | undefined {
  if (target === 'voicemail') return 'there are no mailboxes yet, voicemail ends the call';
  return isNobodys(target, isSomebodys)
    ? `${target} is nobody's number here, it would be dialled outside`
    : undefined;
}

/** It looks like an internal number but is none. */
export const isNobodys = (target: string, isSomebodys: (number: string) => boolean): boolean =>
  /^\d+$/.test(target) && target.length <= INTERNAL_DIGITS && !isSomebodys(target);

/** A field for the target of a call: a number, a word, or nothing if that is allowed. */
export function targetField({ mayBeEmpty = true }: { readonly mayBeEmpty?: boolean } = {}): Field<string> {
  return {
    required: true,
    schema: {
      type: ['string', 'integer'],
      pattern: `^(${mayBeEmpty ? '|' : ''}\\+?\\d{1,20}|${TARGET_WORDS.join('|')})$`,
      description: `A number of 1..20 digits, with or without +, or one of ${TARGET_WORDS.join(', ')}`,
      examples: ['201'],
    },
    answer: { type: 'string' },
    read(value) {
      const target =
        typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? String(value) : value;
      if (typeof target !== 'string') throw new FieldProblem(TARGET_RULE);
      const written = target.trim();
      if (written === '' && mayBeEmpty) return '';
      if (written === '') throw new FieldProblem('must not be empty');
      if (!NUMBER.test(written) && !isTargetWord(written)) throw new FieldProblem(TARGET_RULE);
      return written;
    },
  };
}

/** For a DELETE: the new target of calls that went to the deleted record (contract 20.8). */
export const replaceWith = described(
  optional(targetField({ mayBeEmpty: false })),
  'New target for calls that were sent to the deleted record: a number, or one of hangup, busy, did2user, voicemail',
);
