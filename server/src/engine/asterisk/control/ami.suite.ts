import type { Ami, AmiMessage } from './ami.ts';

type Fields = Readonly<Record<string, string>>;

/** An engine that gives the answers set by the test, and records what it was asked. */
export function scriptedAmi() {
  const asked: string[] = [];
  const lists = new Map<string, (fields: Fields) => AmiMessage[]>();
  const listeners = new Set<(event: AmiMessage) => void>();
  let refusal: Error | undefined;
  const ami: Ami = {
    async action(name, fields = {}) {
      asked.push(`${name} ${fields.Module ?? ''}`.trim());
      if (refusal) throw refusal;
      return {};
    },
    async list(name, fields = {}) {
      asked.push(`${name} ${fields.Endpoint ?? ''}`.trim());
      return lists.get(name)?.(fields) ?? [];
    },
    command: async () => '',
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    ownAddress: () => '127.0.0.1',
  };
  return {
    ami,
    asked,
    lists,
    refuse(error: Error | undefined): void {
      refusal = error;
    },
    send(event: Fields): void {
      for (const listener of listeners) listener(event);
    },
  };
}
