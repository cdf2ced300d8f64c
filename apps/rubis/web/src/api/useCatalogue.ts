// Categories and regions by id, with readable names.
import { useMemo } from 'react';
import type * as api from '../../../server/api.ts';
import { useQuery } from './client.ts';
import { API } from './paths.ts';

export interface CatalogueNames {
  readonly catalogue: api.Catalogue | null;
  /** The category's name, '' while unknown. */
  category(id: string): string;
  /** `Phoenix, AZ`. */
  region(id: string): string;
  /** categories by group, in the catalogue's order */
  groups: ReadonlyMap<string, readonly api.Category[]>;
}

export function regionName(region: api.Region): string {
  return `${region.name}, ${region.state}`;
}

export function nameCatalogue(catalogue: api.Catalogue | null): CatalogueNames {
  const categories = new Map(catalogue?.categories.map((category) => [category.id, category]));
  const regions = new Map(catalogue?.regions.map((region) => [region.id, region]));
  const groups = Map.groupBy(catalogue?.categories ?? [], (category) => category.group);
  return {
    catalogue,
    groups,
    category: (id) => categories.get(id)?.name ?? '',
    region: (id) => (regions.has(id) ? regionName(regions.get(id)!) : ''),
  };
}

export function useCatalogue(): CatalogueNames {
  const { data } = useQuery<api.Catalogue>(API.catalogue);
  return useMemo(() => nameCatalogue(data), [data]);
}
