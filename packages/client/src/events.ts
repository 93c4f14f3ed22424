// Stands in until the event stream is there.
// biome-ignore lint/suspicious/noExplicitAny: a stand-in
export type PbxEvent = { readonly id: string; readonly event: string; readonly data: any };

export type FollowState =
  | { readonly state: 'connecting' }
  | { readonly state: 'open' }
  | { readonly state: 'reconnecting'; readonly lastByteAt: number | undefined };

export interface FollowOptions {
  url: string;
  credential: string | (() => string | undefined | Promise<string | undefined>);
  onEvent(event: PbxEvent): void;
  onState?(state: FollowState): void;
  signal?: AbortSignal;
  fetch?: typeof fetch;
}

export async function followEvents({ onState }: FollowOptions): Promise<void> {
  onState?.({ state: 'connecting' });
}
