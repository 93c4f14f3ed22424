import { crc32, deflateRawSync } from 'node:zlib';
import type { DecisionObject } from './decision.ts';
import { OPENING, type Rendering } from './rendering.ts';

/** The text after `new`: the only part of an answer that is specific to the key. */
const tailOf = (deleted: readonly DecisionObject[]): string => `],"deleted":${JSON.stringify(deleted)}}`;

/** `{"new": […], "deleted": […]}`, without copying the shared part. */
export function plainParts(rendering: Rendering, deleted: readonly DecisionObject[]): (Buffer | string)[] {
  return [OPENING, rendering.json, tailOf(deleted)];
}

const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255]);

/** One gzip member: the shared blocks, then those of this key, then checksum and length over both. */
export async function gzipParts(rendering: Rendering, deleted: readonly DecisionObject[]): Promise<Buffer[]> {
  const shared = await rendering.deflated();
  const tail = Buffer.from(tailOf(deleted));
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(tail, shared.crc), 0);
  trailer.writeUInt32LE((shared.length + tail.length) >>> 0, 4);
  return [GZIP_HEADER, shared.blocks, deflateRawSync(tail), trailer];
}
