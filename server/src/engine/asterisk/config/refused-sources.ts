import { parseNetwork } from '../../../lib/network.ts';
import { configSection, type Setting } from './encode.ts';

/** A named list can be reloaded without touching any account: it takes effect within milliseconds. */
export const REFUSED = 'refused-sources';
/** The engine walks its whole list for each line, not for each address in a line. */
const PER_LINE = 80;

/** Sources that are refused whatever they send. One unreadable entry would make the engine refuse everybody. */
export function renderRefused(sources: readonly string[]): string {
  const readable = sources.flatMap((source) => parseNetwork(source)?.text ?? []);
  const lines: Setting[] = [];
  for (let at = 0; at < readable.length; at += PER_LINE)
    lines.push(['deny', readable.slice(at, at + PER_LINE).join(',')]);
  return configSection(REFUSED, lines);
}
