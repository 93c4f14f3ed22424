import { createClient } from '@pbxcore/client';
import { useSyncExternalStore } from 'react';
import { createSession, type SessionView } from './session.ts';

export const session = createSession(location.origin);

/** Every operation of the interface, with the credential of the person who is signed in. */
export const api = createClient({ url: location.origin, fetch: session.fetch });

export const useSession = (): SessionView => useSyncExternalStore(session.subscribe, session.view);
