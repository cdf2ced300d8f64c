// Categories and regions by id, with readable names.
import { createContext, use, useMemo } from 'react';
import type * as api from '../../../server/api.ts';
import { useQuery } from './client.ts';
import { API } from './paths.ts';

export type CataloguePart = api.AuctionPage['catalogue'];

/** The part of the catalogue that has come with a page's data: the page does not read the whole. */
export const KnownCatalogue = createContext<CataloguePart | null>(null);

export interface CatalogueNames {
  readonly catalogue: CataloguePart | null;
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

export function nameCatalogue(catalogue: CataloguePart | null): CatalogueNames {
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
  const known = use(KnownCatalogue);
  const { data } = useQuery<api.Catalogue>(known ? null : API.catalogue);
  const catalogue = known ?? data;
  return useMemo(() => nameCatalogue(catalogue), [catalogue]);
}
