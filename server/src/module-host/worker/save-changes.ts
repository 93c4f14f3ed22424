import type { SaveOutcome } from '@pbxcore/module/description';
import { PART_BYTES } from '../line/message-sizes.ts';
import type { WorkerSetup } from '../line/protocol.ts';
import type { Link } from './link.ts';

/** Of the changes in one question, with room for what surrounds them. */
const SAVED_BYTES = PART_BYTES - 1024;

interface SaveOrder {
  readonly link: Pick<Link, 'ask' | 'askJson'>;
  readonly most: WorkerSetup['saves'];
  readonly resource: string;
  readonly changes: readonly unknown[];
}

/** Sends many changes in parts, one after the other: the exchange parses each question in one go. */
export async function saveChanges({ link, most, resource, changes }: SaveOrder): Promise<SaveOutcome[]> {
  const texts = Array.isArray(changes)
    ? Array.from(changes, (change) => JSON.stringify(change) ?? 'null')
    : undefined;
  // Too many changes are refused as a whole.
  if (!texts || texts.length > most.changes || texts.join().length > most.bytes)
    return (await link.ask('records.save', [resource, changes])) as SaveOutcome[];
  const outcomes: SaveOutcome[] = [];
  for (const part of partsOf(texts)) {
    const json = `[${JSON.stringify(resource)},[${part.join()}]]`;
    outcomes.push(...((await link.askJson('records.save', json)) as SaveOutcome[]));
  }
  return outcomes;
}

/** At least one. */
function partsOf(texts: readonly string[]): string[][] {
  let part: string[] = [];
  const parts = [part];
  let bytes = 0;
  for (const text of texts) {
    bytes += text.length + 1;
    if (bytes > SAVED_BYTES && part.length > 0) {
      part = [];
      parts.push(part);
      bytes = text.length + 1;
    }
    part.push(text);
  }
  return parts;
}
