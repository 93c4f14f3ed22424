import { session } from '../api/api.ts';
import { sayFailed } from './undo.tsx';

/** Resolves to whether the person accepts losing unsaved values. */
type Ask = () => Promise<boolean>;

const asks = new Set<Ask>();

/** Registers a question before signing out; the returned function removes it. */
export function askBeforeSignOut(ask: Ask): () => void {
  asks.add(ask);
  return () => asks.delete(ask);
}

/** Signing out ends every screen without changing the URL, so unsaved values are asked about here. */
export async function signOut(): Promise<void> {
  try {
    // A copy: a question re-renders its component, which registers again.
    for (const ask of [...asks]) if (!(await ask())) return;
    await session.logout();
  } catch (error) {
    sayFailed(error);
  }
}
