import type { ApiKey, ApiKeysCreateBody, ApiKeysPatchBody, BouncerOptions } from '@pbxcore/client';

export type Level = 'none' | 'read' | 'write';
/** Level by resource; a resource that is not listed is not allowed. */
export type Grants = Readonly<Record<string, 'read' | 'write'>>;
export type ClientName = NonNullable<ApiKeysCreateBody['client']>;
export type PresetId = NonNullable<ApiKeysCreateBody['preset']>;

export const BOUNCER_PATH = '/api/v3/firewall-bouncer';

/** Programs known to poll bans; each sets the options it needs. */
export const CLIENTS = [
  'crowdsec-firewall-bouncer',
  'custom',
  'lua',
  'traefik',
  'haproxy',
  'php',
  'nodejs',
  'express',
  'crowdsec-client',
  'cloudflare',
  'mirror',
  'pycrowdsec',
  'caddy',
] as const satisfies readonly ClientName[];

export interface KeyValues {
  readonly description: string;
  readonly full_permissions: boolean;
  readonly allowed_paths: Grants;
  readonly networkfilterid: string;
  readonly client: ClientName;
  readonly bouncer_options: BouncerOptions;
}

export const KEY_FIELDS: readonly string[] = [
  'description',
  'full_permissions',
  'allowed_paths',
  'networkfilterid',
  'client',
  'bouncer_options',
  'preset',
];

export const valuesOf = (key: ApiKey): KeyValues => ({
  description: key.description,
  full_permissions: key.full_permissions,
  allowed_paths: (key.allowed_paths ?? {}) as Grants,
  networkfilterid: key.networkfilterid,
  client: key.client,
  bouncer_options: key.bouncer_options,
});

/** The body of a PATCH. A client sets the options itself: those on the screen belong to the previous client. */
export function patchOf({ bouncer_options: options, ...changes }: Partial<KeyValues>): ApiKeysPatchBody {
  return { ...changes, ...(options && changes.client === undefined && { bouncer_options: { ...options } }) };
}

export function withLevel(grants: Grants, path: string, level: Level): Grants {
  const { [path]: _, ...others } = grants;
  return level === 'none' ? others : { ...others, [path]: level };
}
