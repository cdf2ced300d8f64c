export { SummaryLine } from './SummaryLine.tsx';
