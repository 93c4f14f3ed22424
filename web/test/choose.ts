import type { Locator } from 'playwright-core';

const MOST_TRIES = 15;
const TRY_MS = 2000;

/** Picks an option of a list; `typed` is the search text for long lists. */
export const choose = (field: Locator, option: string | RegExp, typed?: string): Promise<void> =>
  withOption(field, option, typed, (choice) => choice.click({ timeout: TRY_MS }));

/** Opens a list and leaves it open with the option visible. */
export const openList = (field: Locator, option: string): Promise<void> =>
  withOption(field, option, undefined, (choice) => choice.waitFor({ timeout: TRY_MS }));

/**
 * A list closes when the form around it moves or takes the focus, which on a busy machine may happen just before the
 * click; it is then opened again.
 */
async function withOption(
  field: Locator,
  option: string | RegExp,
  typed: string | undefined,
  act: (choice: Locator) => Promise<void>,
): Promise<void> {
  const choice = field.page().getByRole('option', { name: option, exact: true });
  let failure: unknown;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    // Clicking a list that is already open would close it.
    if ((await field.getAttribute('aria-expanded')) !== 'true') await field.click();
    if (typed !== undefined) await field.fill(typed);
    try {
      return await act(choice);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
