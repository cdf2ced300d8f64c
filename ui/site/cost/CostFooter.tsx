// CostFooter: the collapsible line below every page, with the page's transactions and their costs. Requests of the page add to it; another
// page starts from zero.
import { LiveValue } from '@claret/ui/kit';
import { ChevronRight, ExternalLink } from 'lucide-react';
import { useLayoutEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import type { TransactionCost } from '../cost.ts';
import { useSession } from '../session/useSession.ts';
import styles from './CostFooter.module.css';
import { formatDuration, meaning, sumOf, summary, waited } from './costWords.ts';
import { pageCosts } from './pageCosts.ts';

const STORAGE_KEY = 'claret-costs';

export function CostFooter() {
  useTurn();
  const costs = useSyncExternalStore(pageCosts.subscribe, pageCosts.snapshot);
  const [isOpen, setOpen] = useKeptOpen();
  const { dashboard_url } = useSession();
  return (
    <details className={styles.costs} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>
        <span className={styles.row}>
          <ChevronRight size={16} aria-hidden="true" />
          <span className={styles.title}>The transactions behind this page</span>
          <LiveValue value={summary(costs)} />
        </span>
      </summary>
      <div className={styles.body}>
        {costs.length > 0 && <Costs costs={costs} />}
        <p className={styles.meaning}>{meaning(costs)}</p>
        {dashboard_url !== null && (
          <a className={styles.dashboard} href={dashboard_url} target="_blank" rel="noreferrer">
            Open the live dashboard
            <ExternalLink size={15} aria-hidden="true" />
            <span className="visually-hidden"> (opens in a new tab)</span>
          </a>
        )}
      </div>
    </details>
  );
}

/** Another path is another page; a new query alone, as from a tab, is not. */
function useTurn(): void {
  const { pathname, search } = useLocation();
  const type = useNavigationType();
  const before = useRef({ pathname, search });
  // Runs before the new page's own effects, which register what it reads.
  useLayoutEffect(() => {
    const { current } = before;
    before.current = { pathname, search };
    const isSame = current.pathname === pathname && (current.search === search || type === 'REPLACE');
    if (!isSame) pageCosts.turn();
  }, [pathname, search, type]);
}

function useKeptOpen(): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(() => {
    try {
      return localStorage.getItem(STORAGE_KEY) === 'open';
    } catch {
      return false;
    }
  });
  const keep = (next: boolean) => {
    setOpen(next);
    try {
      if (next) localStorage.setItem(STORAGE_KEY, 'open');
      else localStorage.removeItem(STORAGE_KEY);
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
  };
  return [isOpen, keep];
}

interface Column {
  header: string;
  value(cost: TransactionCost): string | number;
}

const COLUMNS: readonly Column[] = [
  { header: 'Count', value: ({ count }) => count },
  { header: 'Operations', value: ({ operations }) => operations },
  { header: 'Locks waited for', value: waited },
  { header: 'Retries', value: ({ retries }) => retries },
  { header: 'Body runs', value: ({ body_runs }) => body_runs },
  { header: 'Time', value: ({ duration_ms }) => formatDuration(duration_ms) },
];
/** Only where there are some: a cluster may promise nothing. */
const WARRANTED: Column = { header: 'Without a message', value: ({ warranted }) => warranted };
const WITH_WARRANTED = COLUMNS.toSpliced(2, 0, WARRANTED);

function Costs({ costs }: { costs: readonly TransactionCost[] }) {
  const columns = costs.some(({ warranted }) => warranted > 0) ? WITH_WARRANTED : COLUMNS;
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">The transactions behind this page, by type</caption>
      <thead>
        <tr>
          <th scope="col">Transaction</th>
          {columns.map(({ header }) => (
            <th key={header} scope="col">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {costs.map((cost) => (
          <Row key={cost.label} cost={cost} columns={columns}>
            {cost.label}
          </Row>
        ))}
      </tbody>
      {costs.length > 1 && (
        <tfoot>
          <Row cost={sumOf(costs)} columns={columns}>
            Total
          </Row>
        </tfoot>
      )}
    </table>
  );
}

function Row({ cost, columns, children }: { cost: TransactionCost; columns: readonly Column[]; children: ReactNode }) {
  return (
    <tr>
      <th scope="row">{children}</th>
      {columns.map(({ header, value }) => (
        <td key={header}>
          <span className={styles.name} aria-hidden="true">
            {header}
          </span>
          <LiveValue value={value(cost)} />
        </td>
      ))}
    </tr>
  );
}
