import { TOPICS, type Topic } from '../../lib/event-topics.ts';

type Listener = (topic: Topic) => Promise<void>;

/** The topics that have followers; events of all others need not be looked up. */
export function createHearers() {
  const here = new Map<Topic, number>();
  let elsewhere: ReadonlySet<string> = new Set();
  const listeners: Listener[] = [];

  const isHeard = (topic: Topic): boolean => here.has(topic) || elsewhere.has(topic);
  const begin = (topics: readonly Topic[]): Promise<unknown> =>
    Promise.all(topics.flatMap((topic) => listeners.map((listener) => listener(topic))));

  return {
    isHeard,
    onHeard: (listener: Listener): void => void listeners.push(listener),
    async hear(topics: readonly Topic[]): Promise<() => void> {
      const unheard = topics.filter((topic) => !isHeard(topic));
      for (const topic of topics) here.set(topic, (here.get(topic) ?? 0) + 1);
      await begin(unheard);
      return () => {
        for (const topic of topics) {
          const left = (here.get(topic) ?? 0) - 1;
          if (left > 0) here.set(topic, left);
          else here.delete(topic);
        }
      };
    },
    /** The topics with followers on this node. */
    here: (): Topic[] => [...here.keys()],
    /** Sets the topics with followers on any node. */
    setAll(topics: readonly string[]): void {
      const unheard = TOPICS.filter((topic) => topics.includes(topic) && !isHeard(topic));
      elsewhere = new Set(topics);
      void begin(unheard);
    },
  };
}
