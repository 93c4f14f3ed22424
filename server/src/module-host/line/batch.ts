/**
 * Sends messages between processes: the first of a turn of the event loop at once, those that follow in the same turn
 * together. A single call waits for nothing; under load waking the other process is paid for once per turn.
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
