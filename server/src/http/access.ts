import { Forbidden } from '../lib/errors.ts';
import type { Caller } from './caller.ts';
import type { Access, Level } from './route.ts';
import type { SourceAddress } from './source-address.ts';

/** Contract 1.1, steps 3 and 4: the key's network filter, then the level. */
export function checkAccess(access: Access, caller: Caller, source: SourceAddress): void {
  if (caller.kind === 'api_key' && !caller.allowsAddress(source)) {
    throw new Forbidden('this API key is not allowed from your address');
  }
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
    case 'resource':
      if (!holds(caller, access.resource.path, access.level)) {
        throw new Forbidden(`this API key does not hold ${access.level} on ${access.resource.path}`);
      }
  }
}

/** A JWT holds every level (contract 2.3); so does a key with full permissions. */
const isAdministrator = (caller: Caller): boolean => caller.kind === 'jwt' || caller.fullPermissions;

/** The grant is compared with the path that the route declares, never with the URL (contract 2.4). Write includes read. */
export function holds(caller: Caller, path: string, level: Level): boolean {
  if (caller.kind === 'jwt' || caller.fullPermissions) return true;
  const granted = caller.grants.get(path);
  return granted === 'write' || granted === level;
}
