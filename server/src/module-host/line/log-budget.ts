/** What a module may write, or have written, to the log in a second. */
const LINES_PER_SECOND = 100;

/** Whether one more line fits into this second. */
export function createLogBudget(): () => boolean {
  let second = 0;
  let lines = 0;
  return () => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) [second, lines] = [now, 0];
    return ++lines <= LINES_PER_SECOND;
  };
}

/** Writes what fits, and nothing of the rest. */
export function withinLines(write: (text: string) => void): (text: string) => void {
  const mayWrite = createLogBudget();
  return (text) => {
    if (mayWrite()) write(text);
  };
}
