/** Lines per second that a module may write to the log or cause there. */
const LINES_PER_SECOND = 100;

/** Whether one more line is allowed in this second. */
export function createLogBudget(): () => boolean {
  let second = 0;
  let lines = 0;
  return () => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) [second, lines] = [now, 0];
    return ++lines <= LINES_PER_SECOND;
  };
}

/** Writes the lines within the budget and drops the rest. */
export function withinLines(write: (text: string) => void): (text: string) => void {
  const mayWrite = createLogBudget();
  return (text) => {
    if (mayWrite()) write(text);
  };
}
