import { type ReactNode, useState } from 'react';
import classes from './changed.module.css';

/** Highlights a changed value for a moment; a value shown for the first time has not changed. */
export function Changed({
  value,
  children,
}: {
  readonly value: string | number | null;
  readonly children: ReactNode;
}) {
  const [known, setKnown] = useState({ value, changes: 0 });
  if (known.value !== value) setKnown({ value, changes: known.changes + 1 });
  return (
    <span
      key={known.changes}
      {...(known.changes > 0 && { className: classes.changed, 'data-changed': true })}
    >
      {children}
    </span>
  );
}
