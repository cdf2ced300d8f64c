// The views of the page by their addresses, so that a sentence elsewhere can lead to one.

export type ViewId = 'laboratory-bar' | 'throughput' | 'conflicts' | 'hot-records' | 'phases' | 'waits' | 'transactions';

/** Scrolls to a view, and gives it the focus. */
export function focusView(id: ViewId): void {
  const view = document.getElementById(id);
  if (view === null) return;
  view.scrollIntoView({ block: 'nearest' });
  view.focus({ preventScroll: true, focusVisible: true } as FocusOptions);
}
