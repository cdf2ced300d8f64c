import { useCatalogue } from '../api/useCatalogue.ts';

/** categories as options, by group */
export function CategoryOptions() {
  const { groups } = useCatalogue();
  return [...groups].map(([group, categories]) => (
    <optgroup key={group} label={group}>
      {categories.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </optgroup>
  ));
}

/** regions as options, by state */
export function RegionOptions() {
  const { catalogue } = useCatalogue();
  const states = Map.groupBy(catalogue?.regions ?? [], (region) => region.state);
  return [...states].map(([state, regions]) => (
    <optgroup key={state} label={state}>
      {regions.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}, {state}
        </option>
      ))}
    </optgroup>
  ));
}
