import { readFileSync } from 'node:fs';
import { fixedDigits, type NumberPattern, overlap } from '../../../lib/route-number.ts';
import { byPriority, callerEntry, type NumberFit, numberFit } from '../../call-flow/incoming-fit.ts';
import type {
  DesiredCallFlow,
  DesiredDefaultRoute,
  DesiredIncomingRoute,
  Numbering,
} from '../../desired-call-flow.ts';
import { dialplanText } from '../config/encode.ts';
import { context, exten } from './contexts.ts';
import { placeOf } from './dial-patterns.ts';
import { shownName } from './names.ts';
import { targetExtension } from './targets.ts';

/** The logic of calls from outside; this file renders its data. */
export const INCOMING = readFileSync(new URL('./incoming.conf', import.meta.url), 'utf8');

/** A call passes at most this many numbers (contract 21.5), so none gets further down a list. */
const MOST_ROUTES = 100;

/** Routes with the same number, as they apply to calls from one provider, or from providers that no route names. */
interface FitNode {
  readonly fit: NumberFit;
  /** `0`: every provider. */
  readonly line: number;
  readonly routes: readonly DesiredIncomingRoute[];
}

/**
 * Gives each provider that a route names a number: provider ids cannot be part of an extension, in which the engine
 * ignores `-`.
 */
export function linesOf({ incomingRoutes }: DesiredCallFlow): ReadonlyMap<string, number> {
  const ids = [...new Set(incomingRoutes.map(({ providerId }) => providerId))]
    .filter((id) => id !== '')
    .sort();
  return new Map(ids.map((id, at) => [id, at + 1]));
}

/**
 * Leads a call to its routes. A number's routes are determined here as far as possible, so that a call looks its number
 * up once per kind of match, however many there are; only routes for certain callers are tested one by one.
 */
export function renderIncoming(callFlow: DesiredCallFlow): string {
  const { incomingRoutes, defaultRoute, numbering, offWorkRules } = callFlow;
  const lines = linesOf(callFlow);
  const routes = incomingRoutes.toSorted(byPriority);
  const named = routes.filter(({ callers }) => callers.length > 0);
  const nodes = fitNodes(routes, numbering, lines);
  const hours = offWorkRules.length > 0 ? [`Gosub(pbx-hours,s,1(\${CUT(PBX_ROUTES,-,1)}))`] : [];
  const isPlain = routes.length + hours.length === 0;
  return [
    context(
      'pbx-incoming',
      isPlain
        ? exten('s', 'Goto(pbx-routes,1,1)')
        : exten('s', 'Gosub(pbx-fits,s,1)', ...hours, 'Goto(pbx-next-route,1,1)'),
    ),
    context(
      'pbx-routes',
      ...routes.map((route) => routeLine(route, callFlow)),
      routeLine(defaultRoute, callFlow),
    ),
    ...(isPlain ? [] : [renderFits(nodes, named.length > 0, numbering)]),
    ...(named.length > 0 ? [renderCallers(named, numbering, lines)] : []),
  ].join('');
}

/** 1 target, 2 seconds, 3 message, 4 its name, or 5 a long one, 6 whether the number called comes before the target. */
function routeLine(route: DesiredIncomingRoute | DesiredDefaultRoute, { sounds }: DesiredCallFlow): string {
  const sound = sounds.find(({ id }) => id === route.soundId);
  const [short = '', long = ''] = shownName(sound?.name ?? '');
  const seconds = Math.max(0, Math.trunc(route.timeoutSeconds) || 0);
  const isByNumber = 'didToExtension' in route && route.didToExtension;
  const message = [sound ? dialplanText(sound.file) : '', short, long];
  const fields = [targetExtension(route.target), seconds, ...message, isByNumber ? 1 : 0];
  return exten(String(route.id), `Gosub(pbx-route,${route.id},1(${fields.join(',')}))`);
}

/** Routes for all callers, grouped by number and provider; a provider's group includes the routes for all providers. */
function fitNodes(
  routes: readonly DesiredIncomingRoute[],
  numbering: Numbering,
  lines: ReadonlyMap<string, number>,
): FitNode[] {
  const groups = new Map<string, { fit: NumberFit; routes: DesiredIncomingRoute[] }>();
  for (const route of routes) {
    const fit = route.callers.length > 0 ? undefined : numberFit(route, numbering);
    if (!fit) continue;
    const group = groups.get(fit.id) ?? { fit, routes: [] };
    groups.set(fit.id, group);
    group.routes.push(route);
  }
  return [...groups.values()].flatMap((group) =>
    [...new Set(group.routes.map(({ providerId }) => providerId))].map((id) => ({
      fit: group.fit,
      line: lines.get(id) ?? 0,
      routes: group.routes.filter(({ providerId }) => providerId === '' || providerId === id),
    })),
  );
}

/** Puts a call's routes into PBX_ROUTES: for its caller, then of the closest number (contract 22.5), then route 1. */
function renderFits(nodes: readonly FitNode[], hasCallers: boolean, numbering: Numbering): string {
  const exact = nodes.flatMap((node) => (node.fit.kind === 'exact' ? [found(node, node.fit.key)] : []));
  const ends = nodes.flatMap((node) => (node.fit.kind === 'ends' ? [found(node, node.fit.digits)] : []));
  const any = nodes.flatMap((node) => (node.fit.kind === 'any' ? [found(node, 'any')] : []));
  const layers = patternLayers(nodes);
  const lengths = [...new Set(nodes.flatMap(({ fit }) => (fit.kind === 'ends' ? [fit.closeness] : [])))];
  const looks = [
    ...(exact.length > 0 ? [`pbx-fit-exact,\${PBX_KEY}`] : []),
    ...lengths.sort((a, b) => b - a).map((length) => `pbx-fit-ends,\${PBX_DIGITS:-${length}}`),
    ...layers.map((_, at) => `pbx-fit-pattern-${at + 1},\${PBX_RAW}`),
  ];
  const steps = [
    `Gosub(pbx-called,s,1(${spelling(numbering).join(',')}))`,
    ...(hasCallers ? ['Gosub(pbx-callers,s,1)'] : []),
    ...looks.flatMap((look) => [
      `Gosub(pbx-fit,s,1(${look}))`,
      `GotoIf(\${LEN(\${GOSUB_RETVAL})}?pbx-found,s,1)`,
    ]),
    ...(any.length > 0 ? ['Gosub(pbx-fit,s,1(pbx-fit-any,any))'] : []),
    'Goto(pbx-found,s,1)',
  ];
  return [
    context('pbx-fits', exten('s', ...steps)),
    context('pbx-fit-exact', ...exact),
    context('pbx-fit-ends', ...ends),
    ...layers.map((layer, at) => context(`pbx-fit-pattern-${at + 1}`, ...layer)),
    context('pbx-fit-any', ...any),
  ].join('');
}

const spelling = ({ countryCode, nationalPrefix, internationalPrefix }: Numbering): string[] =>
  [countryCode, nationalPrefix, internationalPrefix].map((digits) => digits.replace(/\D/g, ''));

const found = ({ line, routes }: FitNode, key: string, mark = ''): string =>
  exten(
    `${mark}${line}*${key}`,
    `Return(${routes
      .slice(0, MOST_ROUTES)
      .map(({ id }) => `${id}-`)
      .join('')})`,
  );

/**
 * Patterns in contexts that are searched one after the other. Where two match the same number, the closer one is in an
 * earlier context, so that the engine's own order never decides. Few overlap, so there are few contexts.
 */
function patternLayers(nodes: readonly FitNode[]): string[][] {
  const layers: string[][] = [];
  const placed: { node: FitNode; pattern: NumberPattern; layer: number }[] = [];
  const patterns = nodes.flatMap((node) =>
    node.fit.kind === 'pattern' ? [{ node, pattern: node.fit.pattern }] : [],
  );
  for (const { node, pattern } of patterns.sort(closerFirst)) {
    let layer = 0;
    for (const other of placed)
      if (other.layer >= layer && isSeenWith(other.node, node) && overlap(other.pattern, pattern))
        layer = other.layer + 1;
    placed.push({ node, pattern, layer });
    const line = found(node, dialplanPattern(pattern), '_');
    const lines = layers[layer] ?? [];
    lines.push(line);
    layers[layer] = lines;
  }
  return layers;
}

type PlacedPattern = { readonly node: FitNode; readonly pattern: NumberPattern };

/** A provider's own group for a number, which includes the routes for all providers, before the group for all. */
function closerFirst(a: PlacedPattern, b: PlacedPattern): number {
  const [one, other] = [a.node.routes[0], b.node.routes[0]];
  return (
    fixedDigits(b.pattern) - fixedDigits(a.pattern) ||
    (one && other ? byPriority(one, other) : 0) ||
    b.node.line - a.node.line
  );
}

const isSeenWith = (one: FitNode, other: FitNode): boolean =>
  one.line === other.line || one.line === 0 || other.line === 0;

/** The engine cuts patterns of more than 255 characters: a place has to be short, as fifty of them may be stored. */
const dialplanPattern = ({ places, rest }: NumberPattern): string => places.map(placeOf).join('') + rest;

/** One step per route for certain callers, by priority: the matching ones are in PBX_ROUTES afterwards. */
function renderCallers(
  routes: readonly DesiredIncomingRoute[],
  numbering: Numbering,
  lines: ReadonlyMap<string, number>,
): string {
  const steps = routes.flatMap((route) => {
    const fit = numberFit(route, numbering);
    if (!fit) return [];
    const isCaller = `\${DIALPLAN_EXISTS(pbx-callers-${route.id},\${PBX_CALLER},1)}`;
    const line = lines.get(route.providerId);
    const conditions = [
      isCaller,
      ...(line === undefined ? [] : [`"\${PBX_LINE}" = "${line}"`]),
      ...numberCondition(fit),
    ];
    return [`ExecIf($[${conditions.join(' & ')}]?Set(PBX_ROUTES=\${PBX_ROUTES}${route.id}-))`];
  });
  const lists = routes.map(({ id, callers }) => {
    const extensions = callers.map((text) => {
      const { key, isPrefix } = callerEntry(text, numbering);
      return exten(isPrefix ? `_${key}!` : key, 'NoOp()');
    });
    return context(`pbx-callers-${id}`, ...new Set(extensions));
  });
  return [context('pbx-callers', exten('s', 'Gosub(pbx-caller,s,1)', ...steps, 'Return()')), ...lists].join(
    '',
  );
}

function numberCondition(fit: NumberFit): string[] {
  switch (fit.kind) {
    case 'any':
      return [];
    case 'exact':
      return [`"\${PBX_KEY}" = "${fit.key}"`];
    case 'ends':
      return [`"\${PBX_DIGITS:-${fit.digits.length}}" = "${fit.digits}"`];
    case 'pattern':
      return [`"\${PBX_RAW}" =~ "^${expression(fit.pattern)}"`];
  }
}

const expression = ({ places, rest }: NumberPattern): string =>
  places.map((digits) => `[${digits}]`).join('') + { '': '$', '.': '[0-9]+', '!': '[0-9]*' }[rest];
