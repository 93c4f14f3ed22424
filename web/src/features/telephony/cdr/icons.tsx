/** Points down when its content is shown. */
export function ChevronIcon({ open }: { readonly open: boolean }) {
  return (
    <svg
      width={18}
      height={18}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden
    >
      <path d={open ? 'M6 9l6 6 6-6' : 'M9 6l6 6-6 6'} strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

export function PlayIcon({ playing }: { readonly playing: boolean }) {
  return (
    <svg width={18} height={18} viewBox="0 0 24 24" fill="currentColor" aria-hidden>
      <path d={playing ? 'M7 5h4v14H7zM14 5h4v14h-4z' : 'M8 5l11 7-11 7z'} />
    </svg>
  );
}
