import { UsageError } from '../command.ts';

const SLUG = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

export interface ModuleName {
  /** `call-notes`: in the path of its endpoints, and the name of its folder. */
  readonly slug: string;
  /** `CallNotes` */
  readonly id: string;
  /** `Call notes`, for people. */
  readonly title: string;
  /** `call_notes`, in the permission catalogue. */
  readonly permission: string;
}

export function moduleName(given: string, usage: string): ModuleName {
  if (!SLUG.test(given) || given.length > 50)
    throw new UsageError(
      `"${given}": a name must be lower-case letters and digits joined by hyphens, at most 50 characters, for example call-notes`,
      usage,
    );
  const words = given.split('-');
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  return {
    slug: given,
    id: words.map(capital).join(''),
    title: capital(words.join(' ')),
    permission: words.join('_'),
  };
}
