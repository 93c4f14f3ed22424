import { type Failure, Forbidden, Unauthorized } from '../lib/errors.ts';
import type { Caller } from './caller.ts';
import type { Credential } from './credentials.ts';
import type { Access, Level, Resource } from './route.ts';
import type { SourceAddress } from './source-address.ts';

/** Whether no credential is needed. Public routes ignore a sent token, local ones do not (contract 9.2). */
export function isOpen(access: Access, credential: Credential, source: SourceAddress): boolean {
  if (access.kind === 'public') return true;
  if (access.kind !== 'channels') return false;
  const { channels, ownPagesOnly } = access;
  if (channels.includes('public')) return true;
  if (!channels.includes('localhost') || !source.isLocal() || credential.kind !== 'none') return false;
  return !ownPagesOnly || !source.isOtherPage();
}

/** Contract 1.1, step 3: the key's network filter. */
export function checkAddress(caller: Caller, source: SourceAddress): void {
  if (caller.kind === 'api_key' && !caller.allowsAddress(source)) throw addressRefused();
}

/** Contract 1.1, step 4: the level. */
export function checkLevel(access: Access, caller: Caller): void {
  switch (access.kind) {
    case 'public':
    case 'any-credential':
      return;
    case 'session':
      if (caller.kind !== 'jwt') throw new Forbidden('this needs a login, an API key cannot do it');
      return;
    case 'administrator':
      if (!isAdministrator(caller))
        throw new Forbidden('this needs a login or an API key with full permissions');
      return;
    case 'channels':
      if (!access.channels.includes('bearer_token')) throw new Forbidden('this is for local callers only');
      // The older styles declare no path (contract 2.4).
      checkLevel(access.resource ? { ...access, ...withResource(access.resource) } : ADMINISTRATOR, caller);
      return;
    case 'resource':
      if (!holds(caller, access.resource.path, access.level)) {
        throw new Forbidden(`this API key does not hold ${access.level} on ${access.resource.path}`);
      }
  }
}

/** No filter, limit or ban can judge an unknown address, so the request is refused, whoever calls (contract 17.2). */
export const refusalOfUnknown = (caller: Caller | undefined): Failure =>
  caller?.kind === 'api_key' && !caller.allowsAddress(undefined)
    ? addressRefused()
    : new Unauthorized('the address of the caller is not known');

const addressRefused = () => new Forbidden('this API key is not allowed from your address');

const ADMINISTRATOR: Access = { kind: 'administrator' };
const withResource = (resource: Resource) => ({ kind: 'resource' as const, resource });

/** A JWT holds every level (contract 2.3); so does a key with full permissions. */
export const isAdministrator = (caller: Caller): boolean =>
  caller.kind === 'jwt' || (caller.kind === 'api_key' && caller.fullPermissions);

/** The grant is compared with the path that the route declares, never with the URL (contract 2.4). */
export function holds(caller: Caller, path: string, level: Level): boolean {
  if (caller.kind === 'jwt') return true;
  return isAdministrator(caller) || covers(caller.grants, path, level);
}

/** Write includes read (contract 2.4). */
export function covers(grants: ReadonlyMap<string, Level>, path: string, level: Level): boolean {
  const granted = grants.get(path);
  return granted === 'write' || granted === level;
}
