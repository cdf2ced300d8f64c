// When a page has loaded: its document, and what its components have asked for since.

/** A browser test's `networkidle` is half a second without a request in flight; a stream would be one for good. */
const QUIET_MS = 800;
/** A page that goes on loading is live all the same. */
const LONGEST_MS = 3_000;

/** Calls `run` once the page has loaded and nothing more has arrived for a while. Returns a function that calls it off. */
export function whenLoaded(run: () => void): () => void {
  let [quiet, longest] = [0, 0];
  const end = () => {
    window.clearTimeout(quiet);
    window.clearTimeout(longest);
    window.removeEventListener('load', begin);
    arrivals.disconnect();
  };
  const done = () => {
    end();
    run();
  };
  const wait = () => {
    window.clearTimeout(quiet);
    quiet = window.setTimeout(done, QUIET_MS);
  };
  const arrivals = new PerformanceObserver(wait);
  const begin = () => {
    arrivals.observe({ type: 'resource' });
    longest = window.setTimeout(done, LONGEST_MS);
    wait();
  };
  if (document.readyState === 'complete') begin();
  else window.addEventListener('load', begin);
  return end;
}
