import { ModuleAway } from '../../lib/errors.ts';

/** Answers this small are always sent: clients that read nothing cannot block a module's usual answers. */
const FEW_BYTES = 16 * 1024;

/**
 * The size of each module's answers until they are sent: for a client that reads slowly, or not at all, the service
 * holds them, and the module may be that client itself. Kept per module while the service runs, as answers outlive its
 * processes.
 */
export function createUnreadAnswers(mostBytes: number) {
  const held = new Map<string, number>();
  const add = (id: string, bytes: number) => held.set(id, (held.get(id) ?? 0) + bytes);

  return {
    /** Returns the function to call when an answer of this size is gone. */
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
