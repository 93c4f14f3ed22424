import { covers } from '../../../http/access.ts';
import { resourceOf } from '../../../http/permissions.ts';
import type { Level, Route } from '../../../http/route.ts';
import type { Grants } from './grants.ts';
import { BOUNCER_SNIPPETS, type SnippetId } from './snippets/snippets.ts';

/** The resource that bouncers poll, the only one that their preset grants (contract 2.7). */
const BOUNCER_RESOURCE = '/api/v3/firewall-bouncer';

/** Whether the grants let a key poll. Full permissions do not make a key a bouncer's. */
export const isForBouncer = (grants: Grants): boolean => covers(grants, BOUNCER_RESOURCE, 'read');

interface Preset {
  readonly label: string;
  readonly description: string;
  /** `everything`: all resources that routes declare at present. */
  readonly grants: Readonly<Record<string, Level>> | 'everything';
  /** Whether such a program usually runs in one place, so that its key should be bound to that address. */
  readonly staysInPlace: boolean;
  readonly snippets: readonly SnippetId[];
}

/** The usual purposes of keys (contract 33.1). */
const PRESETS = {
  bouncer: {
    label: 'Bouncer',
    description: 'A firewall or web server that polls the bans and enforces them',
    grants: { [BOUNCER_RESOURCE]: 'read' },
    staysInPlace: true,
    snippets: BOUNCER_SNIPPETS,
  },
  crm: {
    label: 'CRM',
    description: 'Keeps employees up to date, reads call records, shows who is available and who is talking',
    grants: {
      '/api/v3/employees': 'write',
      '/api/v3/cdr': 'read',
      '/api/v3/sip': 'read',
      '/api/v3/pbx-status': 'read',
    },
    staysInPlace: false,
    snippets: ['curl'],
  },
  monitoring: {
    label: 'Monitoring',
    description: 'Watches registrations, providers and active calls',
    grants: { '/api/v3/sip': 'read', '/api/v3/sip-providers': 'read', '/api/v3/pbx-status': 'read' },
    staysInPlace: true,
    snippets: ['curl'],
  },
  'read-only': {
    label: 'Read only',
    description:
      'Reads everything and changes nothing; includes what modules publish when the key is created',
    grants: 'everything',
    staysInPlace: true,
    snippets: ['curl'],
  },
} as const satisfies Record<string, Preset>;

export type PresetId = keyof typeof PRESETS;
export const PRESET_IDS = Object.keys(PRESETS) as PresetId[];

export function createPresets({ routes }: { readonly routes: () => readonly Route[] }) {
  function grantsOf(id: PresetId): Grants {
    const { grants }: Preset = PRESETS[id];
    if (grants !== 'everything') return new Map(Object.entries(grants));
    const paths = routes().flatMap(({ access }) => resourceOf(access)?.path ?? []);
    return new Map([...new Set(paths)].sort().map((path) => [path, 'read']));
  }

  return {
    grantsOf,
    snippetsOf: (id: PresetId): readonly SnippetId[] => PRESETS[id].snippets,

    list: () =>
      PRESET_IDS.map((id) => ({
        id,
        label: PRESETS[id].label,
        description: PRESETS[id].description,
        allowed_paths: Object.fromEntries(grantsOf(id)),
        suggests: { networkfilter: PRESETS[id].staysInPlace },
        snippets: [...PRESETS[id].snippets],
      })),
  };
}

export type Presets = ReturnType<typeof createPresets>;
