import { AppLink } from './AppLink.tsx';
import styles from './Footer.module.css';
import type { SiteLink } from './Header.tsx';

export interface FooterProps {
  /** what one should know of the site, in a sentence */
  note: string;
  links: readonly SiteLink[];
}

export function Footer({ note, links }: FooterProps) {
  return (
    <div className={styles.footer}>
      <div className={styles.row}>
        <p>{note}</p>
        <nav aria-label="Footer" className={styles.links}>
          {links.map(({ to, label }) => (
            <AppLink key={to} to={to}>
              {label}
            </AppLink>
          ))}
        </nav>
      </div>
    </div>
  );
}
