// Before the first paint: the colours this person chose, if any. A file of its own because inline scripts are refused.
try {
  const theme = localStorage.getItem('claret-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // No storage, no choice: the system's colours.
}
