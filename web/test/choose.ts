import type { Locator } from 'playwright-core';

const MOST_TRIES = 15;
const TRY_MS = 2000;

/** Picks an option of a list; `typed` is what it is searched by, where there are many. */
export const choose = (field: Locator, option: string | RegExp, typed?: string): Promise<void> =>
  withOption(field, option, typed, (choice) => choice.click({ timeout: TRY_MS }));

/** Opens a list, and leaves it open with the option in sight. */
export const openList = (field: Locator, option: string): Promise<void> =>
  withOption(field, option, undefined, (choice) => choice.waitFor({ timeout: TRY_MS }));

/**
 * A list closes again when the form around it moves or takes the focus, and on a busy machine that may be just before the
 * click: then it is opened anew.
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
    // A click on a list that is open already would close it.
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
