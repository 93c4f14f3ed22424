import { parseNetwork } from '../../../lib/network.ts';
import { configSection, type Setting } from './encode.ts';

/** A list with a name is read again without touching any account: milliseconds until it holds. */
export const REFUSED = 'refused-sources';
/** The engine walks its whole list for each line, not for each address in a line. */
const PER_LINE = 80;

/** Who is refused whatever it says. One entry that the engine cannot read would close it to everybody. */
export function renderRefused(sources: readonly string[]): string {
  const readable = sources.flatMap((source) => parseNetwork(source)?.text ?? []);
  const lines: Setting[] = [];
  for (let at = 0; at < readable.length; at += PER_LINE)
    lines.push(['deny', readable.slice(at, at + PER_LINE).join(',')]);
  return configSection(REFUSED, lines);
}
