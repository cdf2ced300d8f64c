import { Button } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { X } from 'lucide-react';
import { useCatalogue } from '../api/useCatalogue.ts';
import styles from '../pages/BrowsePage.module.css';
import type { BrowseFiltersProps } from './BrowseFilters.tsx';

/** The active filters of a list; pressing one removes it. */
export function FilterChips({ category, region, to }: BrowseFiltersProps) {
  const names = useCatalogue();
  if (!category && !region) return null;
  return (
    <div className={styles.chips}>
      {category && <Chip to={to({ category: null, region })} label={names.category(category) || category} />}
      {region && <Chip to={to({ category, region: null })} label={names.region(region) || region} />}
    </div>
  );
}

function Chip({ to, label }: { to: string; label: string }) {
  return (
    <Button asChild size="small">
      <AppLink to={to} aria-label={`Remove filter: ${label}`}>
        {label}
        <X size={15} aria-hidden="true" />
      </AppLink>
    </Button>
  );
}
