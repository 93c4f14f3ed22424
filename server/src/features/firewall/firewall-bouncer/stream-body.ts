import { crc32, deflateRawSync } from 'node:zlib';
import type { DecisionObject } from './decision.ts';
import { OPENING, type Rendering } from './rendering.ts';

/** What follows `new`: the only part of a poll's answer that is its key's own. */
const tailOf = (deleted: readonly DecisionObject[]): string => `],"deleted":${JSON.stringify(deleted)}}`;

/** `{"new": […], "deleted": […]}`, the shared part untouched. */
export function plainParts(rendering: Rendering, deleted: readonly DecisionObject[]): (Buffer | string)[] {
  return [OPENING, rendering.json, tailOf(deleted)];
}

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255]);

/** One gzip member: the shared blocks, then this key's, then checksum and length over both. */
export async function gzipParts(rendering: Rendering, deleted: readonly DecisionObject[]): Promise<Buffer[]> {
  const shared = await rendering.deflated();
  const tail = Buffer.from(tailOf(deleted));
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(tail, shared.crc), 0);
  trailer.writeUInt32LE((shared.length + tail.length) >>> 0, 4);
  return [GZIP_HEADER, shared.blocks, deflateRawSync(tail), trailer];
}
