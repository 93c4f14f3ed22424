import type { DesiredCallFlow } from '../../../engine/desired-call-flow.ts';
import { oneOf, optional } from '../../../http/fields.ts';
import type { Route } from '../../../http/route.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Conflict } from '../../../lib/errors.ts';
import type { FlowRecord } from '../../../lib/flow-record.ts';
import { createMadeOnce } from '../../../lib/made-once.ts';
import { createTimedTokens } from '../../../lib/timed-tokens.ts';
import type { FlowFeature, FlowParts } from '../records/flow-feature.ts';
import type { FlowResource } from '../records/flow-resource.ts';
import type { FlowView } from '../records/flow-view.ts';
import { addAttentionTone } from './attention-tone.ts';
import { createConversions } from './conversions.ts';
import { audioOf, desiredSound, type SoundRecord, type SoundValues, showSound } from './sound.ts';
import { soundFileRoutes } from './sound-files.routes.ts';
import { CATEGORIES, SoundFile, soundFields, soundFileResource } from './sound-files.schema.ts';
import { createSounds } from './sound-files.service.ts';
import { createSoundFolder } from './sound-folder.ts';

const SWEEP_MS = 3600 * 1000;

interface SoundOptions {
  /** Absolute path. */
  readonly dir: string;
  readonly clock: Clock;
  /** Secret for the tokens in sound URLs; the same on every node. */
  readonly secret: Buffer;
  /** Whether an engine may play the tones that the service provides. */
  readonly hasEngine: boolean;
  readonly onError: (error: unknown) => void;
}

/** Assembles sound files and music on hold (contract 24). */
export function createSoundFiles(
  { telephony, look, declare }: FlowParts,
  { dir, clock, secret, hasEngine, onError }: SoundOptions,
): FlowFeature {
  const { records } = telephony.directory;
  const tokens = createTimedTokens({ secret, purpose: 'sound tokens', clock });
  const conversions = createConversions();
  const folder = createSoundFolder({ dir, conversions });
  const madeOnce = createMadeOnce<Pick<DesiredCallFlow, 'sounds'>>();
  const stopping = new AbortController();
  const all = () => records.all('sound-files') as unknown as SoundRecord[];
  const show = (record: FlowRecord<SoundValues>, view: Pick<FlowView, 'users'>) =>
    showSound(record, {
      token: record.id === '' ? '' : tokens.issue(Number(record.id)),
      users: view.users('sound', record.id),
    });

  const kindOf: FlowResource<SoundValues> = {
    kind: 'sound-files',
    resource: soundFileResource,
    fields: soundFields,
    ids: 'digits',
    nameField: 'name',
    Record: SoundFile,
    ListItem: SoundFile,
    hasCopies: false,
    references: () => [],
    guard: refuseLostMusic,
    warnings: (values, _view, before) =>
      before || values.revision ? [] : ['the sound has no audio yet, nobody hears anything where it is used'],
    filters: { category: optional(oneOf(CATEGORIES)) },
    isWanted: ({ values }, { category }) => category === undefined || values.category === category,
    toRecord: show,
    toListItem: show,
    searched: ({ values }) => [values.name, values.description, values.category],
    sortedBy: {
      name: ({ name }) => name,
      category: ({ values }) => values.category,
      id: ({ id }) => Number(id),
    },
  };
  const { service, routes } = declare(kindOf);
  const sounds = createSounds({ service, folder, clock, sweep: () => void sweep() });

  let sweeping: Promise<void> = Promise.resolve();
  /** One at a time: two would overwrite each other's notes. */
  function sweep(): Promise<void> {
    sweeping = sweeping
      .then(async () => {
        if (stopping.signal.aborted) return;
        await records.settle();
        await folder.sweep(
          clock.now(),
          all().flatMap((record) => audioOf(record) ?? []),
        );
      })
      .catch(onError);
    return sweeping;
  }
  let timer: NodeJS.Timeout | undefined;

  /** Makes the tones that the engine plays without an upload; startup does not wait for it. */
  async function provideTones(): Promise<void> {
    await folder.provideHoldTone(stopping.signal);
    for (const record of all().filter(({ values }) => values.isAttentionTone))
      await sounds.find(record, 'wav', stopping.signal);
  }
  let providing: Promise<void> = Promise.resolve();

  return {
    routes: [
      ...routes.map((route) => withConversion(route, sounds)),
      ...soundFileRoutes({ service, sounds, tokens, show: async (record) => show(record, await look()) }),
    ],
    desired: () =>
      madeOnce([all()], () => ({ sounds: all().flatMap((record) => desiredSound(record, folder.pathOf)) })),
    async prepare() {
      await addAttentionTone(telephony.directory);
      timer = setInterval(() => void sweep(), SWEEP_MS).unref();
      void sweep();
      if (hasEngine)
        providing = provideTones().catch((error: unknown) => {
          if (!stopping.signal.aborted) onError(error);
        });
    },
    async close() {
      clearInterval(timer);
      stopping.abort();
      conversions.close();
      await Promise.all([sweeping, providing]);
    },
  };
}

/** Otherwise a queue with this music would play nothing (contract 24.7). */
const refuseLostMusic: NonNullable<FlowResource<SoundValues>['guard']> = async (desk, record, before) => {
  if (before?.values.category !== 'moh' || record.values.category === 'moh') return;
  const queues = (await desk.users('sound', record.id)).filter(({ field }) => field === 'moh_sound_id');
  if (queues.length > 0) throw new Conflict(`category: ${desk.usedBy(queues)}`);
};

/** Converts the files after a change of `normalize`, before the answer. */
function withConversion(route: Route, sounds: ReturnType<typeof createSounds>): Route {
  if (route.method !== 'PUT' && route.method !== 'PATCH') return route;
  return {
    ...route,
    handle(call) {
      const { found, body, signal } = call as unknown as {
        found: SoundRecord;
        body: Partial<SoundValues>;
        signal: AbortSignal;
      };
      return sounds.change(found, body.normalize, signal, async () => route.handle(call));
    },
  };
}
