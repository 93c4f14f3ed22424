import { useEffect, useState } from 'react';

/**
 * For `selectFirstOptionOnChange` of a field with search by the service: Enter takes the first option, even if the
 * answer arrives after the last key and changes which one is first.
 */
export function useFirstOption(found: unknown, isSearching: boolean): boolean {
  const [seen, setSeen] = useState(found);
  useEffect(() => setSeen(found), [found]);
  // Mantine selects the first one whenever this becomes true.
  return !isSearching || seen === found;
}
