import fc from 'fast-check';

/** Text that tries to be more than a value. */
export const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          '\n',
          '\r',
          '\r\n',
          '\u2028',
          '\0',
          ';',
          ';--',
          '--;',
          '\\',
          '\\;',
          '[',
          ']',
          '[x]',
          '(!)',
          '#include x',
          '#exec y',
        ],
        ...[
          '=',
          '=>',
          '>',
          '"',
          '<',
          '>',
          ',',
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the dialplan's, not ours
          '${SHELL(id)}',
          '$[1]',
          '&',
          '|',
          '(',
          ')',
          ' ',
          '\t',
          'type=transport',
          'a',
          '\ud800',
        ],
      ),
      { maxLength: 20 },
    )
    .map((parts) => parts.join('')),
  fc.integer({ min: 3900, max: 20_000 }).map((length) => `${'ü'.repeat(length / 2)}\n[evil]\ntype=transport`),
);
