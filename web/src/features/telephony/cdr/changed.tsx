import { type ReactNode, useState } from 'react';
import classes from './cdr.module.css';

/** Marks for a moment what has another value than before. */
export function Changed({ value, children }: { readonly value: string; readonly children: ReactNode }) {
  const [known, setKnown] = useState({ value, changes: 0 });
  if (known.value !== value) setKnown({ value, changes: known.changes + 1 });
  return (
    <span key={known.changes} className={known.changes > 0 ? classes.changed : undefined}>
      {children}
    </span>
  );
}
