import { ApiError } from '@pbxcore/client';
import i18next from 'i18next';

/** The text of an error for people: the service's own words. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (isOffline(error)) return i18next.t('ui.offline');
  return error instanceof Error ? error.message : String(error);
}

/** Browsers use one error type for a request without an answer and for a bug in the page: only messages differ. */
export const isOffline = (error: unknown): boolean =>
  error instanceof TypeError && /fetch|network|load failed/i.test(error.message);

export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** The service writes `field: what is wrong`; errors about the form's fields go to them, the others to `rest`. */
export function fieldErrors(
  error: unknown,
  fields: readonly string[],
): { readonly fields: Record<string, string>; readonly rest: string[] } {
  const found: Record<string, string> = {};
  const rest: string[] = [];
  const reasons = error instanceof ApiError ? error.messages.error : [];
  for (const reason of reasons) {
    const [, name = '', text = ''] = /^([\w.[\]-]+): (.*)$/s.exec(reason) ?? [];
    const field = fields.find((candidate) => candidate === name || candidate === name.split(/[.[]/)[0]);
    // For a list also by its full name, `actions[1].digits`, for the row in question.
    if (field && field !== name) found[name] = text;
    if (field && !found[field]) found[field] = text;
    else rest.push(reason);
  }
  if (reasons.length === 0) rest.push(messageOf(error));
  return { fields: found, rest };
}
