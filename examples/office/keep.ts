// Brings a record into the wanted state: creates it, changes it or leaves it alone, and prints which.
import type { Envelope } from '@pbxcore/client';

interface Stored {
  readonly id: string;
}

interface Resource<Created extends object, Changed extends object, Shown extends Stored> {
  create(body: Created): Promise<Envelope<Shown>>;
  patch(id: string, body: Changed): Promise<Envelope<Shown>>;
  getRecord(id: string): Promise<Envelope<Shown>>;
}

/** `id` is that of the existing record, if any. Resolves to the id. */
export async function keep<Created extends object, Changed extends object, Shown extends Stored>(
  what: string,
  resource: Resource<Created, Changed, Shown>,
  { id, wanted, created }: { id: string | undefined; wanted: Changed; created: () => Promise<Created> },
): Promise<string> {
  if (id === undefined) return say('created', what, await resource.create(await created()));
  const known = await resource.getRecord(id);
  if (isLike(known.data, wanted)) return say('unchanged', what, known);
  return say('changed', what, await resource.patch(id, wanted));
}

function say(done: string, what: string, { data, messages }: Envelope<Stored>): string {
  console.log(`${done.padEnd(9)} ${what}`);
  for (const warning of messages.warning) console.log(`          note: ${warning}`);
  return data.id;
}

/** Answers contain more than was sent: only wanted fields are compared. */
function isLike(known: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return known === wanted;
  if (typeof known !== 'object' || known === null) return false;
  if (Array.isArray(wanted) && wanted.length !== (known as unknown[]).length) return false;
  return Object.entries(wanted).every(([name, value]) =>
    isLike((known as Record<string, unknown>)[name], value),
  );
}
