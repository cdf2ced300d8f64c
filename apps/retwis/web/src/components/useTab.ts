// The chosen tab of a page is part of its URL, so that a link leads to it and the back button leaves it.
import { useSearchParams } from 'react-router';

const NAME = 'tab';

/** The tab named by `?tab=`; the first one if it is missing or unknown. */
export function tabOf<Tab extends string>(tabs: readonly Tab[], query: URLSearchParams): Tab {
  const asked = query.get(NAME);
  return tabs.find((tab) => tab === asked) ?? tabs[0]!;
}

export function useTab<Tab extends string>(tabs: readonly Tab[]): [Tab, (tab: string) => void] {
  const [query, setQuery] = useSearchParams();
  const choose = (tab: string) => setQuery(tab === tabs[0] ? {} : { [NAME]: tab }, { preventScrollReset: true });
  return [tabOf(tabs, query), choose];
}
