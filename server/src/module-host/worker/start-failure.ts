import { pathToFileURL } from 'node:url';
import { textOf } from './context.ts';

/** Why a module does not start: one line with the file and line in the module where it failed, then all details. */
export function startFailure(error: unknown, folder: string): string {
  const { $pbxcore, code, message } = (error ?? {}) as {
    $pbxcore?: unknown;
    code?: unknown;
    message?: unknown;
  };
  // A refusal of the exchange: the place in the module says nothing.
  if ($pbxcore === 'refusal') return String(message).slice(0, 2000);
  if (code === 'ERR_ACCESS_DENIED')
    return 'it tried to use a file outside its folder, or to start another program';
  const whole = textOf(error);
  if (!(error instanceof Error)) return whole;
  const place = placeIn(whole, folder);
  if (place === undefined) return whole;
  return `${error.name}: ${firstLine(error.message).slice(0, 1000)} (${place})\n${whole}`;
}

/** The first place in the module's own files in a stack; Node puts that of a syntax error above it. */
function placeIn(stack: string, folder: string): string | undefined {
  const root = `${pathToFileURL(folder).href}/`;
  const at = stack.indexOf(root);
  if (at < 0) return undefined;
  const [, file, line] = /^([^\s():]+):(\d+)/.exec(stack.slice(at + root.length)) ?? [];
  return file === undefined ? undefined : `${decodeURIComponent(file)}:${line}`;
}

const firstLine = (text: string): string => String(text).split('\n')[0] ?? '';
