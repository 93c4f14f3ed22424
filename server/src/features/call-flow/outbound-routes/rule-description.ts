import type { OutboundValues } from './outbound-route.schema.ts';

/** What a route does, as a sentence in plain words. */
export function describeRoute(values: OutboundValues, provider: string): string {
  const { trimfrombegin: cut, prepend, callerid, disabled } = values;
  const changes = [
    ...(cut === 0 ? [] : [`without ${cut === 1 ? 'the first digit' : `the first ${cut} digits`}`]),
    ...(prepend === '' ? [] : [`with ${prepend} before`]),
    ...(callerid === '' ? [] : [callerid === 'anonymous' ? 'anonymously' : `showing ${callerid}`]),
  ];
  const sentence = `${numbersOf(values)} go out over ${provider || 'a provider that is gone'}`;
  const whole = changes.length === 0 ? sentence : `${sentence}, ${changes.join(', ')}`;
  return disabled ? `${whole} (disabled).` : `${whole}.`;
}

function numbersOf({ numberbeginswith: beginning, restnumbers: rest }: OutboundValues): string {
  const digits = rest === 1 ? '1 digit' : `${rest} digits`;
  if (beginning === '') return rest < 0 ? 'All numbers' : `Numbers of ${digits}`;
  if (rest < 0) return `Numbers that begin with ${beginning}`;
  return rest === 0 ? `Numbers that are ${beginning}` : `Numbers of ${beginning} and ${digits} more`;
}
