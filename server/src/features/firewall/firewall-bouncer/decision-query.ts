import { custom, described, FieldProblem, optional, text } from '../../../http/fields.ts';
import { type Network, parseAddress, parseNetwork } from '../../../lib/network.ts';
import type { Decision } from './decision.ts';
import type { DecisionView } from './decision-view.ts';

const word = optional(text({ max: 255 }));

/** Parameters of the live lookup (contract 8.7); all others are ignored. */
export const queryFields = {
  ip: optional(
    custom<Network>(
      { type: 'string', description: 'Decisions equal to or containing this address' },
      (value) => {
        const address = parseAddress(String(value).trim());
        if (!address) throw new FieldProblem('must be an IPv4 or IPv6 address');
        return address;
      },
    ),
  ),
  range: optional(
    custom<Network>({ type: 'string', description: 'Decisions containing this range' }, (value) => {
      const range = parseNetwork(String(value).trim());
      if (!range) throw new FieldProblem('must be a CIDR or an address');
      return range;
    }),
  ),
  contains: described(word, '`false`: decisions inside `range` instead of around it'),
  value: described(word, 'Decisions with exactly this value'),
  scope: described(word, '`Ip` or `Range`, in any letter case'),
  type: described(word, 'Anything but `ban` finds nothing'),
};

interface DecisionQuery {
  readonly ip?: Network;
  readonly range?: Network;
  /** `false`: decisions inside the range instead of around it. */
  readonly contains?: string;
  readonly value?: string;
  readonly scope?: string;
  readonly type?: string;
}

/** All conditions combine; longest remaining first. */
export function findDecisions(view: DecisionView, query: DecisionQuery): Decision[] {
  if (query.type !== undefined && query.type !== '' && query.type.toLowerCase() !== 'ban') return [];
  const { ip, range, value } = query;
  const lists: Decision[][] = [];
  if (ip) lists.push(view.covering(ip));
  if (range)
    lists.push(query.contains?.toLowerCase() === 'false' ? view.inside(range) : view.covering(range));
  if (value) lists.push(view.withValue(value));
  const [first = [...view.all()], ...others] = lists;
  const scope = query.scope?.toLowerCase();
  return first
    .filter((decision) => others.every((list) => list.includes(decision)))
    .filter(({ value: text }) => !scope || scope === (text.includes('/') ? 'range' : 'ip'))
    .sort((a, b) => (a.expiresAt === b.expiresAt ? 0 : b.expiresAt - a.expiresAt));
}
