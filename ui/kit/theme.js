// Sets the person's chosen colours before the first paint. It is inlined into index.html (first-paint.ts).
try {
  const theme = localStorage.getItem('claret-theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Without storage there is no choice: the system's colours apply.
}
