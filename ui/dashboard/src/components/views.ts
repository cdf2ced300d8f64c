// The ids of the page's views, so that a sentence elsewhere can link to one.

export type ViewId = 'throughput' | 'conflicts' | 'hot-records' | 'turns' | 'epochs' | 'phases' | 'owners' | 'waits' | 'transactions';

/** Scrolls to a view and focuses it. */
export function focusView(id: ViewId): void {
  const view = document.getElementById(id);
  if (view === null) return;
  view.scrollIntoView({ block: 'nearest' });
  view.focus({ preventScroll: true, focusVisible: true } as FocusOptions);
}
