import { type Decision, SCENARIOS } from './decision.ts';
import { layOut, type OrderedBytes } from './ordered-bytes.ts';

/**
 * The packed snapshot of a cursor: per decision one byte of scenario, six of expiry, one of length, and the value.
 * With the time of the answer it is enough to rebuild every object (contract 8.4).
 */
const HEADER_BYTES = 8;
const ENDLESS_EXPIRY = 0xffff_ffff_ffff;

export function packSnapshot(
  decisions: readonly Decision[],
  previous: OrderedBytes | undefined,
): OrderedBytes {
  return layOut(decisions, packDecision, previous, Buffer.allocUnsafeSlow);
}

/** Packs each state once: all keys that get the same state share the bytes. */
export function createPacking() {
  let latest: { stateId: string; layout: OrderedBytes } | undefined;
  return (stateId: string, decisions: readonly Decision[]): Buffer => {
    if (latest?.stateId !== stateId) latest = { stateId, layout: packSnapshot(decisions, latest?.layout) };
    return latest.layout.bytes;
  };
}

function packDecision({ value, scenario, expiresAt }: Decision): Buffer {
  const entry = Buffer.allocUnsafe(HEADER_BYTES + value.length);
  entry[0] = SCENARIOS.indexOf(scenario);
  entry.writeUIntBE(Math.min(expiresAt, ENDLESS_EXPIRY), 1, 6);
  entry[7] = value.length;
  entry.write(value, HEADER_BYTES, 'latin1');
  return entry;
}

/** Reads a packed snapshot; `undefined` when the bytes are none. */
export function unpackSnapshot(bytes: Buffer): Decision[] | undefined {
  const decisions: Decision[] = [];
  let position = 0;
  while (position < bytes.length) {
    const end = position + HEADER_BYTES + (bytes[position + 7] ?? Infinity);
    const scenario = SCENARIOS[bytes[position] as number];
    if (end > bytes.length || scenario === undefined) return undefined;
    const expiry = bytes.readUIntBE(position + 1, 6);
    decisions.push({
      value: bytes.toString('latin1', position + HEADER_BYTES, end),
      scenario,
      expiresAt: expiry === ENDLESS_EXPIRY ? Infinity : expiry,
    });
    position = end;
  }
  return decisions;
}
