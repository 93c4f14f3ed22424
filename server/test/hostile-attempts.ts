import { expect } from 'vitest';
import type { useHostile } from './hostile-rig.ts';

/** Module code that runs each attempt and returns its outcome: `refused …` or `done …`. */
const tried = (attempts: Readonly<Record<string, string>>) => `async () => {
  const tried = {};
  const settled = (work) => Promise.race([work(), new Promise((resolve) => setTimeout(resolve, 20_000, 'nothing happened'))]);
  ${Object.entries(attempts)
    .map(
      ([name, code]) => `
  try { tried[${JSON.stringify(name)}] = 'done ' + String(await settled(async () => { ${code} })).slice(0, 200); }
  catch (error) { tried[${JSON.stringify(name)}] = 'refused ' + (error.code ?? error.message); }`,
    )
    .join('')}
  return [tried];
}`;

/** Module code that gets a built-in module of Node. */
export const builtin = (name: string) => `process.getBuiltinModule('${name}')`;

/** Has a module make each attempt and returns the outcomes. */
export const outcomesIn =
  ({ install, evil }: ReturnType<typeof useHostile>) =>
  async (id: string, attempts: Readonly<Record<string, string>>): Promise<Record<string, string>> => {
    await install(id, tried(attempts));
    const { status, body, text } = await evil(id);
    expect(status, text).toBe(200);
    const all = body.data[0] as Record<string, string>;
    expect(Object.keys(all)).toEqual(Object.keys(attempts));
    console.log(`${id}: ${Object.keys(all).length} ways`, all);
    return all;
  };

/** Module code that writes raw messages to its pipe: `say(head, ...texts)`, or `sayAtOnce(...heads)` in one write. */
export const SAY = `const framed = (...parts) => {
    const bytes = parts.map((part) => Buffer.from(part));
    const sized = (size) => { const four = Buffer.alloc(4); four.writeUInt32LE(size); return four; };
    const rest = Buffer.concat(bytes.flatMap((one) => [sized(one.length), one]));
    return Buffer.concat([sized(rest.length), rest]);
  };
  const write = (bytes) => {
    for (let at = 0; at < bytes.length; ) try { at += ${builtin('fs')}.writeSync(3, bytes, at); } catch (error) { if (error.code !== 'EAGAIN') throw error; }
  };
  const say = (...parts) => write(framed(...parts));
  const sayAtOnce = (...heads) => write(Buffer.concat(heads.map((head) => framed(head))));`;
