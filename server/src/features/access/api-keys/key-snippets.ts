import { resourceOf } from '../../../http/permissions.ts';
import { fullPath, type Route } from '../../../http/route.ts';
import type { ApiKeyInput } from './api-keys.service.ts';
import type { KeptOptions } from './bouncer-options.ts';
import type { Grants } from './grants.ts';
import { isForBouncer, type PresetId, type Presets } from './presets.ts';
import { commentOf, KEY_OF_YOUR_OWN } from './snippets/snippet.ts';
import { BOUNCER_SNIPPETS, bouncerSnippet, bouncerUrlAt, type Snippet } from './snippets/snippets.ts';

interface KeySnippetParts {
  readonly presets: Presets;
  readonly routes: () => readonly Route[];
  /** The origin of the service when the request does not name one. */
  readonly ownOrigin: string;
}

interface DescribedKey {
  readonly id: string;
  readonly made: ApiKeyInput & KeptOptions;
  /** Absent when the owner chose the key, which is never repeated. */
  readonly key: string | undefined;
  readonly preset: PresetId | undefined;
  readonly origin: string | undefined;
}

/** Any valid key may call this. */
const CHECK = '/pbxcore/api/v3/system:checkAuth';

/** The texts shown once with a new key (contract 33.3), and later without the key. */
export function createKeySnippets({ presets, routes, ownOrigin }: KeySnippetParts) {
  /** A request without parameters to the first resource that the key may read. */
  function readablePath(grants: Grants): string {
    for (const path of grants.keys()) {
      const candidates = routes().filter(
        (route) =>
          route.method === 'GET' &&
          resourceOf(route.access)?.path === path &&
          !route.path.includes('{') &&
          !Object.values(route.query ?? {}).some(({ required }) => required),
      );
      const list = candidates.find((route) => `/api/v3${route.path}` === path) ?? candidates[0];
      if (list) return fullPath(list);
    }
    return CHECK;
  }

  return ({ id, made, key = KEY_OF_YOUR_OWN, preset, origin = ownOrigin }: DescribedKey): Snippet[] => {
    const { description, allowed_paths: grants, client, bouncer_options: options } = made;
    const wanted = preset ? presets.snippetsOf(preset) : BOUNCER_SNIPPETS;
    const isBouncer = isForBouncer(grants) && wanted.length > 1;
    if (isBouncer) {
      const facts = { id, description, key, url: bouncerUrlAt(origin), client, options };
      return wanted.map((snippet) => bouncerSnippet(snippet, facts));
    }
    const url = origin + (made.full_permissions ? CHECK : readablePath(grants));
    const text = `# ${commentOf({ id, description })}\ncurl -H 'X-Api-Key: ${key}' '${url}'\n`;
    return [{ id: 'curl', label: 'curl, one request', filename: 'request.sh', text }];
  };
}

export type KeySnippets = ReturnType<typeof createKeySnippets>;
