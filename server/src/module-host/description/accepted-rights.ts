import type { CheckedManifest } from './manifest.ts';
import { type Endpoint, openEndpoints } from './open-routes.ts';

/** What a module asks for in its module.json: enabling it accepts that. */
export type Rights = Record<'reads' | 'writes' | 'acts', readonly string[]>;

export interface Accepted extends Rights {
  /** What it may answer without a key; `undefined` until it is noted. */
  readonly endpoints: readonly Endpoint[] | undefined;
}

export const rightsOf = ({ reads, writes, acts }: CheckedManifest): Rights => ({ reads, writes, acts });

/** What is noted when a module is enabled; `seen` is what the operator was shown. */
export const acceptedWith = (asked: Rights, seen: Accepted | undefined): Rights & Partial<Accepted> =>
  seen?.endpoints ? { ...asked, endpoints: openEndpoints(seen.endpoints) } : asked;

/**
 * What a version would do that nobody accepted, in words; empty if nothing. For a module enabled before this was
 * stored, only its reads were accepted; there was nothing else to accept.
 */
export function rightsBeyond(wanted: Rights, accepted: Rights | undefined): string {
  const more = (right: keyof Rights) =>
    wanted[right].filter((name) => !(accepted?.[right] ?? []).includes(name)).join(', ');
  const [reads, writes, acts] = [accepted ? more('reads') : '', more('writes'), more('acts')];
  const also = [reads && `reads ${reads}`, writes && `changes ${writes}`, acts && `acts on calls (${acts})`];
  const text = also.filter(Boolean).join(' and ');
  return text && `also ${text}`;
}

/** Why a version is not started; empty if it may be. */
export function unaccepted(wanted: Rights, accepted: Rights | undefined): string {
  const beyond = rightsBeyond(wanted, accepted);
  return beyond && `this version ${beyond}: enable it to accept that`;
}
