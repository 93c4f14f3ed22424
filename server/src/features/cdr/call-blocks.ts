/** Calls whose newest leg has one of 8192 neighbouring ids: how many, and between which times they lie. */
export interface Block {
  readonly block: number;
  readonly calls: number;
  readonly earliest: number;
  readonly latest: number;
  /** The oldest leg of these calls. */
  readonly lowest_id: number;
}

export const BLOCK_IDS = 8192;

export interface Window {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly idFrom?: number | undefined;
}

/** Some of its calls may lie in the window. */
export const mayMatch = ({ block, earliest, latest }: Block, { from, to, idFrom }: Window): boolean =>
  (from === undefined || latest >= from) &&
  (to === undefined || earliest <= to) &&
  (idFrom === undefined || (block + 1) * BLOCK_IDS - 1 > idFrom);

/** All of its calls lie in the window. */
export const surelyMatches = ({ block, earliest, latest }: Block, { from, to, idFrom }: Window): boolean =>
  (from === undefined || earliest >= from) &&
  (to === undefined || latest <= to) &&
  (idFrom === undefined || block * BLOCK_IDS > idFrom);
