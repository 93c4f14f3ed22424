import { custom, described, type Field, FieldProblem, text } from '../../../http/fields.ts';
import { parseAddress, parseNetwork } from '../../../lib/network.ts';
import { PARSER_PATTERN_RULE, readParserPattern } from '../../../lib/parser-pattern.ts';
import { rangeProblem } from '../../../lib/provider-range.ts';

const hostText = text({ min: 1, max: 255 });
const HOST_SCHEMA = { type: 'string', minLength: 1, maxLength: 255, examples: ['sip.example.org'] };
const LABEL = /^[A-Za-z0-9_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?$/;

/** Whether the name exists is up to the resolver. One that ends in a number could only be a broken address. */
function isHostName(name: string): boolean {
  const labels = name.split('.');
  return labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) as string);
}

/** A host name as written, or an address, normalised. */
export const host: Field<string> = {
  ...hostText,
  schema: HOST_SCHEMA,
  read(value) {
    const written = hostText.read(value);
    const address = parseAddress(written);
    if (!address && !isHostName(written)) throw new FieldProblem('must be a host name or an address');
    return address?.text ?? written;
  },
};

const MAX_HOSTS = 100;

/** Objects with an `address`; the `id` that answers add is ignored. */
export const additionalHosts = custom<string[]>(
  {
    type: 'array',
    maxItems: MAX_HOSTS,
    items: {
      type: 'object',
      properties: {
        address: { ...HOST_SCHEMA, description: 'Host name, address, or CIDR of at least /16 (IPv6 /32)' },
      },
      required: ['address'],
    },
  },
  (value) => {
    if (!Array.isArray(value)) throw new FieldProblem('must be an array of objects with an address');
    if (value.length > MAX_HOSTS)
      throw new FieldProblem(`at most ${MAX_HOSTS} entries (got ${value.length})`);
    return value.map(readAdditionalHost);
  },
);

function readAdditionalHost(entry: unknown, index: number): string {
  const isObject = typeof entry === 'object' && entry !== null && Object.hasOwn(entry, 'address');
  if (!isObject) throw new FieldProblem(`[${index}] must be an object with an address`);
  try {
    const written = hostText.read(Reflect.get(entry, 'address'));
    const network = parseNetwork(written);
    if (!network && !isHostName(written)) throw new FieldProblem('must be a host name, an address or a CIDR');
    const tooWide = rangeProblem(written);
    if (tooWide) throw new FieldProblem(tooWide);
    return network?.text ?? written;
  } catch (problem) {
    if (!(problem instanceof FieldProblem)) throw problem;
    throw new FieldProblem(`[${index}].address ${problem.message}`);
  }
}

const patternText = text({ max: 255 });

/** How a number is found in a header. It runs in the engine, on data from strangers (contract 17.9). */
export const parserRegex: Field<string> = {
  ...described(
    patternText,
    `A regular expression whose first group is the number. It ${PARSER_PATTERN_RULE}`,
  ),
  read(value) {
    const written = patternText.read(value);
    if (!readParserPattern(written)) throw new FieldProblem(PARSER_PATTERN_RULE);
    return written;
  },
};

/** Digits or `none`; empty means `none`, as with employees. */
export const networkFilterId: Field<string> = {
  ...text({ max: 9 }),
  schema: {
    type: ['string', 'integer'],
    pattern: '^(none|\\d{1,9}|)$',
    description:
      'Where calls of the provider may come from: `none` (anywhere), or the id of a network filter',
  },
  read(value) {
    const id = typeof value === 'number' ? String(value) : value;
    if (typeof id !== 'string' || !/^(none|\d{1,9}|)$/.test(id.trim()))
      throw new FieldProblem('must be none or the id of a network filter');
    // The filter is found by the text of its id, which has no leading zeros.
    return /^\d/.test(id.trim()) ? String(Number(id)) : 'none';
  },
};
