import styles from './SkipLink.module.css';

/** First in a page whose content is the element `main`: seen when it has the focus. */
export function SkipLink() {
  return (
    <a className={styles.skip} href="#main">
      Skip to content
    </a>
  );
}
