import { randomBytes } from 'node:crypto';
import { SECRET_MASK } from '../../../http/fields.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Conflict, InvalidFields, NotFound } from '../../../lib/errors.ts';
import type { ProviderStatuses } from './provider-statuses.service.ts';
import { lacksCredentials, type SipProvider, unserved } from './sip-provider.ts';
import type { SipProviderFields, SipProviderInput } from './sip-providers.schema.ts';
import type { SipProviderChange, SipProviderStore } from './sip-providers.store.ts';

interface SipProviderParts {
  readonly store: SipProviderStore;
  readonly statuses: Pick<ProviderStatuses, 'noteWrite'>;
  readonly clock: Clock;
  readonly filterExists: (id: number) => Promise<boolean>;
  /** Lines of manual attributes that the telephony engine does not get, in words. */
  readonly unusedAttributes: (text: string) => string[];
}

interface Saved {
  readonly provider: SipProvider;
  readonly warnings: string[];
}

/** SIP trunks (contract 4). */
export function createSipProviders(parts: SipProviderParts) {
  const { store, statuses, clock, filterExists, unusedAttributes } = parts;
  async function find(id: string): Promise<SipProvider> {
    const provider = await store.find(id);
    if (!provider) throw new NotFound(`provider ${id} not found`);
    return provider;
  }

  /** Checks only what was sent: a filter that is gone does not block other changes (contract 17.8). */
  async function refuseMissingFilter({ networkfilterid: filter = 'none' }: SipProviderChange): Promise<void> {
    if (filter !== 'none' && !(await filterExists(Number(filter))))
      throw new InvalidFields(`networkfilterid: network filter ${filter} not found`);
  }

  async function warningsAbout(provider: SipProvider): Promise<string[]> {
    const { networkfilterid: filter, registration_type: type } = provider;
    const warnings: string[] = [];
    if (lacksCredentials(provider)) {
      warnings.push(
        `registration_type: ${type} needs username and secret; the provider is not in service until both exist`,
      );
    }
    if (filter !== 'none' && !(await filterExists(Number(filter))))
      warnings.push(`networkfilterid: network filter ${filter} not found`);
    const unused = unusedAttributes(provider.manualattributes);
    warnings.push(...unserved(provider));
    return [...warnings, ...unused.map((problem) => `manualattributes: ${problem}`)];
  }

  /** Writes only what changes, so that two writers of different fields do not undo each other. */
  async function save(before: SipProvider, change: SipProviderChange): Promise<Saved> {
    const isSwitched = change.disabled !== undefined && change.disabled !== before.disabled;
    const switched = isSwitched ? { switchedAt: clock.now() } : {};
    // First, so that nothing is stored if these fail.
    await refuseMissingFilter(change);
    const warnings = await warningsAbout({ ...before, ...change });
    const provider = await store.update(before.id, { ...change, ...switched });
    if (!provider) throw new NotFound(`provider ${before.id} not found`);
    await statuses.noteWrite(before, provider);
    return { provider, warnings };
  }

  async function insert(provider: SipProvider, isChosen: boolean): Promise<SipProvider> {
    try {
      await store.insert(provider);
      return provider;
    } catch (error) {
      if (!(error instanceof Conflict)) throw error;
      if (isChosen) throw new Conflict('id: already taken', { cause: error });
      return insert({ ...provider, id: newId() }, isChosen);
    }
  }

  return {
    find,

    /** Disabled providers only when asked for (contract 4.3). */
    list: async (includeDisabled: boolean): Promise<SipProvider[]> =>
      (await store.list()).filter((provider) => includeDisabled || !provider.disabled),

    async create({ id, ...input }: SipProviderInput & { id?: string }): Promise<Saved> {
      // There is nothing yet that the mask could stand for.
      if (input.secret === SECRET_MASK)
        throw new InvalidFields('secret: the mask stands for a stored secret, a new provider has none');
      const now = clock.now();
      const fields = withType({ ...input, secret: input.secret ?? '' });
      const draft = { ...fields, id: id || newId(), createdAt: now, switchedAt: now };
      await refuseMissingFilter(draft);
      const warnings = await warningsAbout(draft);
      const provider = await insert(draft, Boolean(id));
      await statuses.noteWrite(undefined, provider);
      return { provider, warnings };
    },

    /** PUT: replaces everything, the secret only if it was sent. */
    replace(before: SipProvider, { secret, ...input }: SipProviderInput): Promise<Saved> {
      const isKept = secret === undefined || secret === SECRET_MASK;
      const { secret: resulting, ...rest } = withType({ ...input, secret: isKept ? before.secret : secret });
      return save(before, { ...rest, ...(!isKept && { secret: resulting }) });
    },

    /** PATCH: what was sent; an empty secret keeps the stored one too. */
    patch(before: SipProvider, { secret, ...change }: Partial<SipProviderFields>): Promise<Saved> {
      const isNew = secret !== undefined && secret !== '' && secret !== SECRET_MASK;
      return save(before, { ...change, ...(isNew && { secret }) });
    },

    delete: (provider: SipProvider): Promise<void> => store.delete(provider),
  };
}

export type SipProviders = ReturnType<typeof createSipProviders>;

const newId = (): string => `SIP-TRUNK-${randomBytes(4).toString('hex').toUpperCase()}`;

function withType(input: SipProviderInput & { secret: string }): SipProviderFields {
  const byCredentials = input.username !== '' && input.secret !== '' ? 'outbound' : 'none';
  return { ...input, registration_type: input.registration_type ?? byCredentials };
}
