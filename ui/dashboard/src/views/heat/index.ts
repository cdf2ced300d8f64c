export { HeatPanel } from './HeatPanel.tsx';
