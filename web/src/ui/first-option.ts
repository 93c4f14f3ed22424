import { useEffect, useState } from 'react';

/**
 * For `selectFirstOptionOnChange` of a field that is searched in by the service: the first option is the one that Enter
 * takes, also when the answer comes only after the last key and another one stands first by then.
 */
export function useFirstOption(found: unknown, isSearching: boolean): boolean {
  const [seen, setSeen] = useState(found);
  useEffect(() => setSeen(found), [found]);
  // Mantine looks for the first one whenever this becomes true.
  return !isSearching || seen === found;
}
