/**
 * Sends messages between processes: the first in a turn of the event loop at once, those that follow in the same turn
 * together. A single call never waits; under load, the other process is woken only once more per turn.
 */
export function createBatch<M>(post: (messages: readonly M[]) => void): (message: M) => void {
  let later: M[] | undefined;
  const flush = () => {
    const rest = later;
    later = undefined;
    if (rest && rest.length > 0) post(rest);
  };
  return (message) => {
    if (later) {
      later.push(message);
      return;
    }
    later = [];
    post([message]);
    setImmediate(flush);
  };
}
