import { Failure, StoreRefusesWrites } from '../../../lib/errors.ts';

const FULL = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EACCES'];

/** A disk that refuses writes is no defect of the service: 503, and stored sounds are still played. */
export function shownDiskFailure(error: unknown): unknown {
  if (error instanceof Failure || !FULL.includes((error as NodeJS.ErrnoException).code ?? '')) return error;
  return new StoreRefusesWrites(
    'the sound cannot be written: the disk is full, or does not accept files',
    error,
  );
}
