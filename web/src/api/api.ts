import { createClient } from '@pbxcore/client';
import { useSyncExternalStore } from 'react';
import { createSession, type SessionView } from './session.ts';

export const session = createSession(location.origin);

/** Every operation of the API, with the credential of the signed-in person. */
export const api = createClient({ url: location.origin, fetch: session.fetch });

export const useSession = (): SessionView => useSyncExternalStore(session.subscribe, session.view);
