import styles from './SkipLink.module.css';

/** The first element of a page whose content is the element `main`; visible when it has the focus. */
export function SkipLink() {
  return (
    <a className={styles.skip} href="#main">
      Skip to content
    </a>
  );
}
