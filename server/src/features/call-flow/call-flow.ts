import { resolve } from 'node:path';
import type { AppContext } from '../../app-context.ts';
import { type DesiredCallFlow, type Numbering, PLAIN_CALL_FLOW } from '../../engine/desired-call-flow.ts';
import type { Stores } from '../../open-stores.ts';
import type { TelephonyArea } from '../telephony/telephony.ts';
import { createQueues } from './call-queues/queue.feature.ts';
import { createExplanations } from './explain/explain.feature.ts';
import { createIncomingRoutes } from './incoming-routes/incoming-routes.feature.ts';
import { createMenus } from './ivr-menu/menu.feature.ts';
import { createOffWorkFeature } from './off-work-times/off-work-times.feature.ts';
import { createOutboundRoutes } from './outbound-routes/outbound-routes.feature.ts';
import type { FlowFeature, FlowParts } from './records/flow-feature.ts';
import { flowRoutes } from './records/flow-routes.ts';
import { createFlowService } from './records/flow-service.ts';
import { createFlowViews } from './records/flow-view.ts';
import { createSoundFiles } from './sound-files/sound-files.feature.ts';

interface FlowNeeds {
  /** Secret for the tokens in sound URLs; the same on every node. */
  readonly tokenSecret: Buffer;
}

/** Where calls go: routes, menus, queues, opening hours, sounds (contract 20 to 28). */
export async function createCallFlowArea(
  context: AppContext,
  stores: Stores,
  telephony: TelephonyArea,
  needs: FlowNeeds,
) {
  const { config } = context;
  const { directory, employees, providers } = telephony;
  const numbering = numberingOf(context);
  const look = createFlowViews({ directory, employees, providers });

  const parts: FlowParts = {
    telephony,
    look,
    isSomebodys: (number) =>
      employees.byNumber(number) !== undefined || directory.records.byNumber(number) !== undefined,
    numbersNow: () => [
      employees.all(),
      directory.records.all('call-queues'),
      directory.records.all('ivr-menu'),
    ],
    declare(kindOf) {
      const { extensionLength } = config;
      const service = createFlowService(kindOf, { directory, look, extensionLength });
      return { service, routes: flowRoutes({ kindOf, service, look }) };
    },
  };

  const { clock } = context;
  const features: readonly FlowFeature[] = [
    ...featuresOf(parts, context, stores, needs),
    createExplanations(parts, { desired, clock, timezone: config.timezone }),
  ];
  for (const { close } of features) if (close) context.opened.defer(close);
  for (const { prepare } of features) await prepare?.();

  return {
    routes: features.flatMap(({ routes }) => routes),
    /** Starts publishing changes as events; called once everything is built. */
    startTelling(): void {
      for (const { startTelling } of features) startTelling?.();
    },

    desired,
  };

  /** This area's part of the desired state; read after every change. */
  async function desired(): Promise<DesiredCallFlow> {
    await Promise.all([directory.records.settle(), ...features.map(({ settle }) => settle?.())]);
    const { emergencyNumbers, featureCodes } = config.numbering;
    return {
      ...PLAIN_CALL_FLOW,
      numbering,
      emergencyNumbers,
      featureCodes: {
        night: featureCodes.night,
        queueLogin: featureCodes['queue-login'],
        queuePause: featureCodes['queue-pause'],
      },
      ...Object.assign({}, ...features.map(({ desired }) => desired?.() ?? {})),
    };
  }
}

/** One line per resource. */
const featuresOf = (
  parts: FlowParts,
  context: AppContext,
  stores: Stores,
  { tokenSecret }: FlowNeeds,
): FlowFeature[] => [
  createSoundFiles(parts, {
    dir: resolve(context.config.soundsDir),
    clock: context.clock,
    secret: tokenSecret,
    hasEngine: context.config.telephony.engine !== 'none',
    onError: context.errorLogger('sound files'),
  }),
  createOutboundRoutes(parts),
  createIncomingRoutes(parts, {
    inboundExtension: context.config.telephony.inboundExtension,
    numbering: numberingOf(context),
    warn: (text) => context.log.warn(text),
  }),
  createMenus(parts, { db: stores.db, timezone: context.config.timezone }),
  createQueues(parts, {
    db: stores.db,
    events: stores.events,
    clock: context.clock,
    timezone: context.config.timezone,
    onError: context.errorLogger('a queue login or pause made on a phone cannot be stored'),
  }),
  createOffWorkFeature(parts, {
    ...stores,
    clock: context.clock,
    timezone: context.config.timezone,
    errorLogger: context.errorLogger,
  }),
];

const numberingOf = ({ config: { numbering, extensionLength } }: AppContext): Numbering => ({
  extensionLength,
  countryCode: numbering.countryCode,
  nationalPrefix: numbering.nationalPrefix,
  internationalPrefix: numbering.internationalPrefix,
});
