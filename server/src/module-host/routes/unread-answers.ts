import { ModuleAway } from '../../lib/errors.ts';

/** So much is always sent: strangers who read nothing cannot keep others from what a module usually answers. */
const FEW_BYTES = 16 * 1024;

/**
 * What the answers of each module hold until they are sent: a client that reads slowly, or not at all, makes the service keep
 * them, and the module may be that client itself. Of one module for as long as the service runs, since they outlive its processes.
 */
export function createUnreadAnswers(mostBytes: number) {
  const held = new Map<string, number>();
  const add = (id: string, bytes: number) => held.set(id, (held.get(id) ?? 0) + bytes);

  return {
    /** Returns how to tell that an answer that takes so many bytes is gone. */
    of:
      (id: string) =>
      (bytes: number): (() => void) => {
        if (bytes <= FEW_BYTES) return () => {};
        if ((held.get(id) ?? 0) + bytes > mostBytes)
          throw new ModuleAway(`too many answers of the module ${id} have not been read yet`);
        add(id, bytes);
        return () => add(id, -bytes);
      },
  };
}
