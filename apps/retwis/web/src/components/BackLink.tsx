import { AppLink } from '@claret/ui/site';
import { ArrowLeft } from 'lucide-react';
import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import { PAGE } from '../api/paths.ts';
import styles from './BackLink.module.css';

/** Leads back to the previous page of this site; home for a visitor from elsewhere. */
export function BackLink() {
  const navigate = useNavigate();
  const goBack = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isPlain || !hasPageBefore()) return;
    event.preventDefault();
    void navigate(-1);
  };
  return (
    <AppLink to={PAGE.home} className={styles.back} onClick={goBack}>
      <ArrowLeft size={18} aria-hidden="true" />
      Back
    </AppLink>
  );
}

/** The router numbers the pages of this visit in the window's history. */
function hasPageBefore(): boolean {
  const { idx } = (window.history.state ?? {}) as { idx?: number };
  return idx !== undefined && idx > 0;
}
