export { TransactionsView } from './TransactionsView.tsx';
