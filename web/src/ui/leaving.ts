import { session } from '../api/api.ts';
import { sayFailed } from './undo.tsx';

/** Resolves to whether the person leaves what would be lost. */
type Ask = () => Promise<boolean>;

const asks = new Set<Ask>();

/** Is asked before the person is signed out, until the answer is called. */
export function askBeforeSignOut(ask: Ask): () => void {
  asks.add(ask);
  return () => asks.delete(ask);
}

/** It ends every screen without another address, so whoever has something to lose is asked here. */
export async function signOut(): Promise<void> {
  try {
    // Those of this moment: whoever asks is drawn anew, and registers once more.
    for (const ask of [...asks]) if (!(await ask())) return;
    await session.logout();
  } catch (error) {
    sayFailed(error);
  }
}
