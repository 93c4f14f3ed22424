interface Waiting<Q, A> {
  readonly question: Q;
  readonly resolve: (answer: A | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One question for all who come while another is under way. Each is answered by a question that began after it came. Who
 * comes alone is asked for at once: to wait for others at the same moment costs more than it saves.
 */
export function createBundle<Q, A>(
  ask: (questions: readonly Q[]) => Promise<ReadonlyMap<Q, A>>,
  atOnce: number,
): (question: Q) => Promise<A | undefined> {
  const waiting: Waiting<Q, A>[] = [];
  let asking = false;

  async function work(): Promise<void> {
    if (asking) return;
    asking = true;
    while (waiting.length > 0) {
      const bundle = waiting.splice(0, atOnce);
      try {
        const answers = await ask(bundle.map(({ question }) => question));
        for (const { question, resolve } of bundle) resolve(answers.get(question));
      } catch (error) {
        for (const { reject } of bundle) reject(error);
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
