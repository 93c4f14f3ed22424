import { LISTED_MODULE, MODULE_ID } from '../lib/module-id.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Facts about a module, from the service or from disk. */
export interface ExaminedModule {
  readonly id: string;
  readonly disabled: boolean;
  readonly disableReason: string;
  readonly disableReasonText: string;
  readonly endpoints: readonly {
    readonly verb: string;
    readonly path: string;
    readonly channels: readonly string[];
  }[];
  readonly broken?: { readonly reason: string; readonly enabled: boolean } | undefined;
  /** Only if a service runs. */
  readonly figures?: ExaminedFigures | undefined;
}

export interface ExaminedFigures {
  readonly calls: number;
  readonly errors: number;
  readonly restarts: number;
  readonly cpuSeconds?: number | null;
  readonly memoryBytes?: number | null;
}

/** Modules that do not run as they should, and what the others open to callers without a key. */
export function moduleFindings(modules: readonly ExaminedModule[]): Finding[] {
  if (modules.length === 0) return [ok('modules: none is installed')];
  const running = modules.filter(({ disabled, broken }) => !disabled && !broken);
  const names = running.map(({ id }) => id).join(', ');
  return [
    ok(`modules: ${running.length} of ${modules.length} enabled${names && `: ${names}`}`),
    ...modules.flatMap((module) => failureOf(module, modules)),
    ...running.flatMap(workOf),
    ...running.flatMap(openingsOf),
  ];
}

function failureOf(
  { id, disabled, disableReason, disableReasonText, broken }: ExaminedModule,
  all: readonly ExaminedModule[],
): Finding[] {
  const shown = `module ${id}`;
  if (broken && all.some((other) => other.id === id && !other.broken))
    return [
      warning(
        `the folder ${id} is broken: ${broken.reason}`,
        'move it away by hand: its name is the id of a module in another folder',
      ),
    ];
  if (broken?.enabled)
    return [
      problem(
        `${shown} is enabled and cannot be used: ${broken.reason}`,
        `repair its folder and \`pbxcore module enable ${id}\`, or \`pbxcore module disable ${id}\``,
      ),
    ];
  if (broken) return [warning(`${shown} is broken: ${broken.reason}`, cureOf(id))];
  if (!disabled || disableReason === '' || disableReason === 'DisabledByUser') return [];
  return [
    warning(
      `${shown} is not running: ${disableReasonText || disableReason}`,
      `\`pbxcore module logs ${id}\` shows more; then \`pbxcore module enable ${id}\`, or \`pbxcore module disable ${id}\` to leave it off`,
    ),
  ];
}

/** An archive replaces only a folder that is named like its module. */
function cureOf(id: string): string {
  if (!LISTED_MODULE.test(id)) return 'move its folder away by hand';
  const removal = `\`pbxcore module remove ${wordOf(id)}\``;
  return MODULE_ID.test(id) ? `install it again with \`--replace\`, or ${removal}` : removal;
}

/** Quoted for a shell, and never an option. */
function wordOf(name: string): string {
  const word = /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  return name.startsWith('-') ? `-- ${word}` : word;
}

function workOf({ id, figures }: ExaminedModule): Finding[] {
  if (!figures) return [];
  const text = `module ${id} since the start of the service: ${figureText(figures)}`;
  return [
    figures.restarts > 0 ? warning(text, `\`pbxcore module logs ${id}\` shows why it ended`) : ok(text),
  ];
}

export const figureText = ({ calls, errors, restarts, cpuSeconds, memoryBytes }: ExaminedFigures): string =>
  [
    `${calls} calls`,
    `${errors} errors`,
    `${restarts} restarts`,
    ...(typeof cpuSeconds === 'number' ? [`${cpuSeconds.toFixed(1)} s of CPU`] : []),
    ...(typeof memoryBytes === 'number' ? [`${Math.round(memoryBytes / 1024 / 1024)} MB now`] : []),
  ].join(', ');

function openingsOf({ id, endpoints }: ExaminedModule): Finding[] {
  const open = (channel: string) =>
    endpoints.filter(({ channels }) => channels.includes(channel)).map(({ verb, path }) => `${verb} ${path}`);
  const isPublic = open('public');
  const isLocal = open('localhost').filter((route) => !isPublic.includes(route));
  return [
    ...(isPublic.length > 0 ? [ok(`module ${id} answers everybody at ${isPublic.join(', ')}`)] : []),
    ...(isLocal.length > 0
      ? [ok(`module ${id} answers programs on this machine without a key at ${isLocal.join(', ')}`)]
      : []),
  ];
}
