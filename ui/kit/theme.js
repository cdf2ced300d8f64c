// Before the first paint: the colours this person chose, if any. It comes inside index.html (first-paint.ts).
try {
  const theme = localStorage.getItem('claret-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // No storage, no choice: the system's colours.
}
