/** Adds an entry; replaces the oldest one if there are too many. */
export function keepAtMost<K, T>(most: number, kept: Map<K, T>, key: K, value: T): void {
  if (!kept.has(key) && kept.size >= most) {
    const [oldest] = kept.keys();
    kept.delete(oldest as K);
  }
  kept.set(key, value);
}
