/** The state of a provider as the telephony engine reports it. */
export interface ProviderState {
  readonly state: 'registered' | 'unregistered' | 'rejected' | 'OK' | 'lagged' | 'unreachable';
  /** Since when, in milliseconds. */
  readonly since: number;
  readonly rttMs: number | null;
  readonly rejectionReason?: string;
}

export interface ProviderSnapshot {
  /** When the engine was last heard, in milliseconds. */
  readonly asOf: number;
  readonly states: ReadonlyMap<string, ProviderState>;
  readonly engine: 'none' | 'up' | 'lost';
}

/** The port through which the engine reports states of providers. */
export interface ProviderStates {
  current(): Promise<ProviderSnapshot>;
  /** Asks the engine anew. Rejects with a named failure when it cannot be asked. */
  refresh(id: string): Promise<void>;
}
