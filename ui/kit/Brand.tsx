/** The mark: a drop of claret. */
export function Brand({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="var(--accent)" />
      <path d="M16 6c5 6.2 7.5 9.7 7.5 13.2a7.5 7.5 0 0 1-15 0C8.5 15.7 11 12.2 16 6z" fill="var(--on-accent)" />
      <path d="M12.2 19.4a3.9 3.9 0 0 0 3.9 3.9" fill="none" stroke="var(--accent)" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
