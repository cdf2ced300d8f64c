// What somebody is writing and has not sent, kept in this browser until it is sent or emptied.
const key = (viewer_id: string) => `claret-timelines-draft:${viewer_id}`;

export function readDraft(viewer_id: string, storage: Pick<Storage, 'getItem'> = localStorage): string {
  try {
    return storage.getItem(key(viewer_id)) ?? '';
  } catch {
    return ''; // forbidden storage: a draft lives as long as the page
  }
}

export function writeDraft(
  viewer_id: string,
  text: string,
  storage: Pick<Storage, 'setItem' | 'removeItem'> = localStorage,
): void {
  try {
    if (text === '') storage.removeItem(key(viewer_id));
    else storage.setItem(key(viewer_id), text);
  } catch {
    // As above.
  }
}
