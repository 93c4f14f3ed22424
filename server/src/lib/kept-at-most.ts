/** Keeps it in the place of the oldest one where there are too many. */
export function keepAtMost<K, T>(most: number, kept: Map<K, T>, key: K, value: T): void {
  if (!kept.has(key) && kept.size >= most) {
    const [oldest] = kept.keys();
    kept.delete(oldest as K);
  }
  kept.set(key, value);
}
