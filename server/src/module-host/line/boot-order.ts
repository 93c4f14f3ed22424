/** The first message that a process receives. */
export interface BootOrder {
  readonly title: string;
  readonly entry: string;
  readonly resolver: string;
  readonly sources: Readonly<Record<string, string>>;
  readonly setup: unknown;
}
