/** The first thing that a process is told. */
export interface BootOrder {
  readonly title: string;
  readonly entry: string;
  readonly resolver: string;
  readonly sources: Readonly<Record<string, string>>;
  readonly setup: unknown;
}
