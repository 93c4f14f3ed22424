interface Waiting<Q, A> {
  readonly question: Q;
  readonly resolve: (answer: A | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Combines lookups that arrive while an earlier query is under way into one query. Each is answered by a query that
 * began after it arrived. A single lookup is queried at once: waiting for others would cost more than it saves.
 */
export function createBatchedLookup<Q, A>(
  ask: (questions: readonly Q[]) => Promise<ReadonlyMap<Q, A>>,
  atOnce: number,
): (question: Q) => Promise<A | undefined> {
  const waiting: Waiting<Q, A>[] = [];
  let asking = false;

  async function work(): Promise<void> {
    if (asking) return;
    asking = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, atOnce);
      try {
        const answers = await ask(batch.map(({ question }) => question));
        for (const { question, resolve } of batch) resolve(answers.get(question));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    asking = false;
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      void work();
    });
}
