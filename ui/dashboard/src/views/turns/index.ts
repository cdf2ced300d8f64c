export { TurnsPanel } from './TurnsPanel.tsx';
