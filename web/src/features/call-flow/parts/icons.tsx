/** Three lines: a handle for moving. */
export const MoveIcon = () => (
  <svg width={16} height={16} viewBox="0 0 16 16" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
    <path d="M3 4.5h10M3 8h10M3 11.5h10" />
  </svg>
);

export const RemoveIcon = () => (
  <svg width={16} height={16} viewBox="0 0 16 16" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
    <path d="M4 4l8 8M12 4l-8 8" />
  </svg>
);
