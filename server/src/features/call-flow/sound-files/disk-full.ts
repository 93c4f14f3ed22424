import { Failure, StoreRefusesWrites } from '../../../lib/errors.ts';

const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES'];

/** A disk that takes nothing is no defect of ours: 503, and what is stored already goes on being heard. */
export function shownDiskFailure(error: unknown): unknown {
  if (error instanceof Failure || !FULL.includes((error as NodeJS.ErrnoException).code ?? '')) return error;
  return new StoreRefusesWrites('the sound cannot be written: the disk is full, or takes no files', error);
}
